package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

//go:embed page.html page.css page.js policy.yaml sketch.html
var files embed.FS

// A viewer is the service itself: a form, and a page for each drawing.
type viewer struct {
	glass  *server.Server
	policy *rules.Policy
	page   *template.Template
}

// newViewer returns the service's handler for the host "name:port".
func newViewer(glass *server.Server, host string) (http.Handler, error) {
	source, err := files.ReadFile("policy.yaml")
	if err != nil {
		return nil, err
	}
	v := &viewer{glass: glass}
	if v.policy, err = rules.Parse("policy.yaml", source); err != nil {
		return nil, err
	}
	if v.page, err = template.ParseFS(files, "page.html"); err != nil {
		return nil, err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /{$}", v.show)
	routes.HandleFunc("POST /drawings", v.draw)
	routes.HandleFunc("GET /drawings/{id}", v.show)
	routes.HandleFunc("GET /drawings/{id}/events", v.events)
	static := http.FileServerFS(files)
	routes.Handle("GET /page.css", static)
	routes.Handle("GET /page.js", static)
	// No other page can create drawings here, whether it is at another site or at
	// another name of this machine.
	guarded := http.NewCrossOriginProtection().Handler(routes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != host {
			http.Error(w, fmt.Sprintf("Open this service as http://%s/.", host), http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		guarded.ServeHTTP(w, r)
	}), nil
}

// draw generates a drawing and creates a sandbox for it.
func (v *viewer) draw(w http.ResponseWriter, r *http.Request) {
	words := r.PostFormValue("words")
	if words == "" || len(words) > 100 {
		http.Error(w, "Say what to draw, in up to 100 bytes.", http.StatusBadRequest)
		return
	}
	code, err := sketch(words)
	if err != nil {
		http.Error(w, "The drawing could not be generated: "+err.Error(), http.StatusInternalServerError)
		return
	}
	snapshot, err := v.glass.Store().Snapshot(map[string][]byte{"/index.html": code}, vfs.DefaultLimits())
	if err != nil {
		http.Error(w, "The generated files cannot be served: "+err.Error(), http.StatusInternalServerError)
		return
	}
	sandbox, err := v.glass.Create(server.Spec{Name: words, Files: snapshot, Policy: v.policy})
	switch {
	case errors.Is(err, server.ErrFull):
		http.Error(w, "There are too many drawings. Try again in a minute.", http.StatusServiceUnavailable)
	case err != nil:
		http.Error(w, "The drawing cannot be shown: "+err.Error(), http.StatusInternalServerError)
	default:
		http.Redirect(w, r, "/drawings/"+sandbox.ID(), http.StatusSeeOther)
	}
}

// show serves the page, with a drawing or without one. The page may load its own files
// and the outer frame, which may load the sandbox.
func (v *viewer) show(w http.ResponseWriter, r *http.Request) {
	var data struct{ ID, Frame string }
	status, frames := http.StatusOK, "'none'"
	if id := r.PathValue("id"); id != "" {
		if sandbox := v.glass.Sandbox(id); sandbox != nil {
			data.ID, data.Frame = sandbox.ID(), sandbox.OuterURL()
			frames = data.Frame
		} else {
			status = http.StatusNotFound // with a form to draw it again
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src "+frames)
	w.WriteHeader(status)
	if err := v.page.Execute(w, data); err != nil {
		return // the reader is gone
	}
}

// events streams what a drawing is refused, as the service's own server-sent events.
// The service decides what its page learns.
func (v *viewer) events(w http.ResponseWriter, r *http.Request) {
	sandbox := v.glass.Sandbox(r.PathValue("id"))
	if sandbox == nil {
		http.Error(w, "There is no such drawing.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	blocks := server.EventFilter{Actions: []protocol.Action{protocol.ActionBlock}}
	for event, err := range sandbox.Events(r.Context(), blocks, 0) {
		if err != nil {
			return // the reader is gone
		}
		var line struct{ Target, Reason string }
		switch e := event.(type) {
		case protocol.ViolationEvent:
			line.Target, line.Reason = e.Target, e.Reason
		case protocol.VerdictEvent:
			line.Target, line.Reason = e.URL, e.Reason
		default:
			continue
		}
		text, err := json.Marshal(line)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
}
