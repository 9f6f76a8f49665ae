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

// A plain server has the pages of the control, each at an origin of its own; the
// host that a sandbox's policy allows; and the hosts to which the pages of both
// columns say that they are done. It is not what decides anything.
type plain struct {
	port    int
	allowed string // token
	server  *http.Server
	serving sync.WaitGroup

	mu    sync.Mutex
	pages map[string]map[string][]byte // files by the token of their origin
	done  map[string]func([]end)       // by the token of the signal's host
}

// An end is what a page says of a technique: not whether anything got out, but
// how its code ended.
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

// origin is that of a token's host.
func (p *plain) origin(token string) string {
	return "http://" + net.JoinHostPort(token+domain, strconv.Itoa(p.port))
}

// frames is the source of a Content-Security-Policy for the pages of the control.
func (p *plain) frames() string { return p.origin("*") }

// show serves files at the origin of a token.
func (p *plain) show(token string, files map[string][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages[token] = files
}

// await calls done, once, when the page whose signals go to the token says that
// it is at its end.
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

// serveFile answers like a good static server that has no policy. What a page
// leaves in the browser's storage is cleared when its frame comes to /.gone.
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

// gonePath clears what a page of the control has stored.
const gonePath = "/.gone"

// signal takes the word of a page that it is done.
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
