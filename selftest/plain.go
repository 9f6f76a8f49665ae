package selftest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// A plain server serves the pages of the control, each at an origin of its own. It also serves
// the host that a sandbox's policy allows, and the hosts that the pages of both columns report
// their end to. What arrives at it decides nothing.
type plain struct {
	port    int
	allowed string // the token of the allowed host
	server  *http.Server
	serving sync.WaitGroup

	mu    sync.Mutex
	pages map[string]map[string][]byte // files by the token of their origin
	done  map[string]func([]end)       // by the token of the signal's host
}

// An end is what a page reports about a technique: how its code ended, not whether anything
// got out.
type end struct{ Name, End, Text string }

// openPlain listens.
func openPlain(allowed string) (*plain, error) {
	listeners, err := listenLoopback()
	if err != nil {
		return nil, fmt.Errorf("opening a port for the control: %w", err)
	}
	p := &plain{port: port(listeners[0]), allowed: allowed, pages: map[string]map[string][]byte{}, done: map[string]func([]end){}}
	p.server = newServer(http.HandlerFunc(p.serve))
	for _, l := range listeners {
		p.serving.Go(func() { p.server.Serve(l) })
	}
	return p, nil
}

func (p *plain) close() {
	p.server.Close()
	p.serving.Wait()
}

// origin returns the origin of a token's host.
func (p *plain) origin(token string) string {
	return "http://" + net.JoinHostPort(token+domain, strconv.Itoa(p.port))
}

// frames returns the source for the pages of the control in a Content-Security-Policy.
func (p *plain) frames() string { return p.origin("*") }

// show serves files at the origin of a token.
func (p *plain) show(token string, files map[string][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages[token] = files
}

// await calls done once, when the page that reports to the token's host has reached its end.
func (p *plain) await(token string, done func([]end)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[token] = done
}

func (p *plain) serve(w http.ResponseWriter, r *http.Request) {
	token := tokenOf(r.Host)
	p.mu.Lock()
	files, page := p.pages[token]
	_, signal := p.done[token]
	p.mu.Unlock()
	switch {
	case page:
		serveFile(w, r, files)
	case signal:
		p.signal(w, r, token)
	case token == p.allowed:
		obey(w, r)
	default:
		turnAway(w)
	}
}

// serveFile answers like a good static server without a policy. A frame that visits /.gone has
// the browser clear what the page stored.
func serveFile(w http.ResponseWriter, r *http.Request, files map[string][]byte) {
	name := r.URL.Path
	if strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	w.Header().Set("Cache-Control", "no-store")
	if name == gonePath {
		w.Header().Set("Clear-Site-Data", `"cookies", "storage"`)
		return
	}
	contents, ok := files[name]
	if !ok {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kindOf(name).contentType)
	w.Write(contents)
}

// gonePath is the path that clears what a page of the control has stored.
const gonePath = "/.gone"

// signal handles a page's report that it is done.
func (p *plain) signal(w http.ResponseWriter, r *http.Request, token string) {
	allowEverything(w.Header(), r)
	if r.Method != http.MethodPost || r.URL.Path != "/done" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var ends []end
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(body, &ends)
	}
	if err != nil {
		http.Error(w, "this is not how the techniques ended", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	done := p.done[token]
	p.done[token] = func([]end) {}
	p.mu.Unlock()
	done(ends)
	w.WriteHeader(http.StatusNoContent)
}
