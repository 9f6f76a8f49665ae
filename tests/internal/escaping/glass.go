package escaping

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/vfs"
)

// A glass is a server of the product, and the page of somebody else's that
// embeds its sandboxes: a plain frame, without a policy of its own.
type glass struct {
	server   *server.Server
	embedder string // origin
}

func startGlass(t testing.TB, adjust func(*server.Config)) *glass {
	t.Helper()
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	embedder := startEmbedder(t)
	config := server.Config{
		Port: listeners.Port(), Embedders: []string{embedder},
		Log: slog.New(slog.DiscardHandler),
	}
	adjust(&config)
	srv, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return &glass{srv, embedder}
}

func startEmbedder(t testing.TB) (origin string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><title>Embedder</title><style>body { margin: 0 } iframe { position: fixed; inset: 0; width: 100%%; height: calc(100%% - 40px); border: 0 }</style>
<iframe src="%s"></iframe>`, html.EscapeString(r.FormValue("frame")))
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return fmt.Sprintf("http://localhost:%d", l.Addr().(*net.TCPAddr).Port)
}

// A visit is one page: a sandbox of its own, with a batch of rows in it.
type visit struct {
	url    string            // of the embedding page
	tokens map[string]string // of the rows, by name
	signal string            // token of what the page tells

	undefended bool
	sandbox    *server.Sandbox
}

// prepare makes a sandbox for a batch. The column tells its tokens from those of
// the same rows in other columns.
func (g *glass) prepare(t testing.TB, n *canary.Network, b escape.Batch, column string, number map[string]int) *visit {
	t.Helper()
	v := &visit{tokens: map[string]string{}, signal: fmt.Sprintf("s%d%s", number[b.Name], column)}
	for _, r := range b.Rows {
		v.tokens[r.Name] = fmt.Sprintf("r%d%s", number[r.Name], column)
	}
	contents, err := b.Files(escape.Target{
		Port: n.Port(), Allowed: n.Origin("allowed"), Slow: canary.SlowDomain, Signal: n.Origin(v.signal),
		Host: func(r escape.Row) (name, address string) {
			token := v.tokens[r.Name]
			return n.Host(token), n.Address(token)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := g.server.Store().Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Appendf(nil, `version: 1
scripts: [inline, eval, wasm, blob]
rules:
  - id: allowed
    allow: %s/**
  - id: slow
    allow: http://*.%s:%d/**
  - id: signal
    allow: %s/*
    types: [fetch]
`, n.Origin("allowed"), canary.SlowDomain, n.Port(), n.Origin(v.signal))
	for _, r := range b.Rows {
		text = fmt.Appendf(text, "  - allow: http://get.%s:%d/**\n    methods: [GET]\n", n.Host(v.tokens[r.Name]), n.Port())
	}
	policy, err := rules.Parse("rules.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := g.server.Create(server.Spec{Name: b.Name, Files: snapshot, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	v.url, v.sandbox = g.embedder+"/?frame="+sandbox.OuterURL(), sandbox
	return v
}

// log is the end of the sandbox's log until now: how far its view came.
func (v *visit) log() string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var lines []string
	for event, err := range v.sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			break // the log has no more for now
		}
		line, err := json.Marshal(event)
		if err != nil {
			return err.Error()
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
