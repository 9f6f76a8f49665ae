package escaping

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/vfs"
)

// A glass is a server of the product, and a third party's page that embeds its
// sandboxes: a plain frame, without a policy of its own.
type glass struct {
	server   *server.Server
	embedder string // origin

	mu    sync.Mutex
	fills map[string]func() error // by outer URL; each fills a warm sandbox
}

func startGlass(t testing.TB, overTLS bool, adjust func(*server.Config)) *glass {
	t.Helper()
	listeners, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if overTLS {
		speakTLS(t, listeners)
	}
	g := &glass{fills: map[string]func() error{}}
	g.embedder = g.startEmbedder(t)
	config := server.Config{
		PublicURL: listeners.URL(), Embedders: []string{g.embedder},
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
	g.server = srv
	return g
}

// speakTLS gives the listeners a certificate that the browser is told to accept.
func speakTLS(t testing.TB, listeners *server.Listeners) {
	t.Helper()
	authority, err := testca.New()
	if err != nil {
		t.Fatal(err)
	}
	cert, key, err := authority.Issue(t.TempDir(), time.Now().Add(24*time.Hour), "localhost", "sandbox.localhost", "*.sandbox.localhost")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := server.LoadCertificate(cert, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listeners.TLS(certificate)
}

// fillWhenWarm connects to the frame, and asks for the sandbox's files once the view waits for them.
const fillWhenWarm = `<script>
const frame = document.querySelector('iframe')
frame.onload = () => {
	const { port1, port2 } = new MessageChannel()
	port1.onmessage = ({ data: { kind, state } }) => {
		if (kind !== 'state' || state !== 'warm') return
		port1.onmessage = null
		fetch('/fill?frame=' + encodeURIComponent(frame.src))
	}
	frame.contentWindow.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
}
</script>`

// startEmbedder serves the embedder's page, which shows a sandbox in a plain frame.
func (g *glass) startEmbedder(t testing.TB) (origin string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fill" {
			if err := g.fill(r.FormValue("frame")); err != nil {
				t.Errorf("filling a warm sandbox: %v", err)
			}
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><title>Embedder</title><style>body { margin: 0 } iframe { position: fixed; inset: 0; width: 100%%; height: calc(100%% - 40px); border: 0 }</style>
<script>addEventListener('pointerdown', ({ clientX, clientY }) => console.log('the embedder receives a pointerdown at', clientX, clientY))</script>
<iframe src="%s"></iframe>`, html.EscapeString(r.FormValue("frame")))
		if *warm {
			fmt.Fprint(w, fillWhenWarm)
		}
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return fmt.Sprintf("http://localhost:%d", l.Addr().(*net.TCPAddr).Port)
}

// fill gives the sandbox of a view its files.
func (g *glass) fill(outer string) error {
	g.mu.Lock()
	fill := g.fills[outer]
	delete(g.fills, outer)
	g.mu.Unlock()
	if fill == nil {
		return fmt.Errorf("no sandbox waits at %q", outer)
	}
	return fill()
}

// A visit is one page: its own sandbox, with a batch of rows.
type visit struct {
	url    string            // of the embedding page
	tokens map[string]string // of the rows, by name
	signal string            // token of the page's signals

	undefended bool
	sandbox    *server.Sandbox
}

// prepare creates a sandbox for a batch. The column distinguishes its tokens from those
// of the same rows in other columns.
func (g *glass) prepare(t testing.TB, n *canary.Network, b escape.Batch, column string, number map[string]int, app bool) *visit {
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
	spec := server.Spec{Name: b.Name, Files: snapshot}
	if *isolated {
		spec.Permissions = []string{"cross-origin-isolated"}
	}
	if app {
		declared := n.Origin("allowed")
		slow := fmt.Sprintf("http://*.%s:%d", canary.SlowDomain, n.Port())
		compiled, err := mcpapps.Compile(mcpapps.CSP{
			ConnectDomains: []string{declared, slow, n.Origin(v.signal)}, ResourceDomains: []string{declared, slow},
		}, mcpapps.Options{})
		if err != nil || len(compiled.Cuts) > 0 {
			t.Fatalf("the policy of an app: %v, %v", compiled, err)
		}
		spec.Policy, spec.Baseline = compiled.Policy, compiled.Baseline()
	} else {
		spec.Policy = ordinary(t, n, b, v)
	}
	if *warm {
		spec.Files, spec.Warm = nil, true
	}
	sandbox, err := g.server.Create(spec)
	if err != nil {
		t.Fatal(err)
	}
	if *warm {
		g.mu.Lock()
		g.fills[sandbox.OuterURL()] = func() error {
			_, err := sandbox.Fill(server.Filling{Files: snapshot})
			return err
		}
		g.mu.Unlock()
	}
	v.url, v.sandbox = g.embedder+"/?frame="+sandbox.OuterURL(), sandbox
	return v
}

// ordinary returns the policy of a sandbox that is not for an app.
func ordinary(t testing.TB, n *canary.Network, b escape.Batch, v *visit) *rules.Policy {
	t.Helper()
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
	return policy
}

// events returns the events in the sandbox's log so far.
func (v *visit) events() (events []any) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for event, err := range v.sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			break // the log has no more for now
		}
		events = append(events, event)
	}
	return events
}

// hadNoWorker reports whether the server itself served the view.
func (v *visit) hadNoWorker() bool {
	return slices.ContainsFunc(v.events(), func(event any) bool {
		step, is := event.(protocol.LifecycleEvent)
		return is && step.Step == protocol.StepWithoutWorker
	})
}

// log returns the end of the sandbox's log, which shows how far its view got.
func (v *visit) log() string {
	var lines []string
	for _, event := range v.events() {
		line, err := json.Marshal(event)
		if err != nil {
			return err.Error()
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
