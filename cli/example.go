package cli

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

//go:embed example
var exampleFiles embed.FS

// An example is what serve runs without a folder. It has a small server of its own, so
// that the only request that its policy allows gets a response.
type example struct {
	server http.Server
	addr   string // the server's address, host:port
	ended  chan error
	serves int // number of listeners that are served
}

// startExample starts the example's server on a free port of localhost.
func startExample() (*example, error) {
	listeners, err := server.Listen("localhost:0")
	if err != nil {
		return nil, fmt.Errorf("the example's own server cannot listen; run a folder instead: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		// Without this header no page of another origin may read the response.
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = io.WriteString(w, "Hello from a server outside the glass.") // an error means that the client is gone
	})
	all := listeners.All()
	e := &example{addr: fmt.Sprintf("localhost:%d", listeners.Port()), ended: make(chan error, len(all)), serves: len(all)}
	e.server = http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	for _, listener := range all {
		go func() { e.ended <- e.server.Serve(listener) }()
	}
	return e, nil
}

func (e *example) close() error {
	err := e.server.Close()
	for range e.serves {
		if served := <-e.ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
	}
	return err
}

// text replaces the placeholder for the server's address in a text of the example.
func (e *example) text(text []byte) []byte {
	return []byte(strings.ReplaceAll(string(text), "EXAMPLE_SERVER", e.addr))
}

func (e *example) files(store *vfs.Store) (*vfs.Snapshot, error) {
	files := map[string][]byte{}
	const root = "example/files"
	err := fs.WalkDir(exampleFiles, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := exampleFiles.ReadFile(name)
		files[strings.TrimPrefix(name, root)] = e.text(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	return store.Snapshot(files, vfs.DefaultLimits())
}

func (e *example) policy() (*rules.Policy, error) {
	const name = "example/rules.yaml"
	text, err := exampleFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return rules.Parse(name, e.text(text))
}
