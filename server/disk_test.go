package server

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// A hashing writer keeps only the hash of an answer.
type hashing struct {
	counting
	hash.Hash
}

func (h *hashing) Write(b []byte) (int, error) {
	h.Hash.Write(b)
	return h.counting.Write(b)
}

// A onceWritten calls a function when the first bytes are written.
type onceWritten struct {
	counting
	do func()
}

func (o *onceWritten) Write(b []byte) (int, error) {
	if o.bytes == 0 {
		o.do()
	}
	return o.counting.Write(b)
}

// film makes a folder with a file of random bytes, and returns the hash of the file.
func film(t *testing.T, size int64) (dir string, sum vfs.Hash) {
	t.Helper()
	dir = t.TempDir()
	f, err := os.Create(filepath.Join(dir, "film.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	r := rand.NewChaCha8([32]byte{1})
	if _, err := io.CopyN(io.MultiWriter(f, digest), r, size); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, vfs.Hash(digest.Sum(nil))
}

// serveFolder serves the folder as it is now.
func serveFolder(t *testing.T, s *Server, sandbox *Sandbox, dir string) *vfs.Snapshot {
	t.Helper()
	limits := vfs.DefaultLimits()
	limits.FileSize = 1 << 30
	folder, err := vfs.OpenFolder(dir, s.Store(), limits)
	if err != nil {
		t.Fatal(err)
	}
	files, err := folder.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(files); err != nil {
		t.Fatal(err)
	}
	return files
}

// heap returns the bytes of live memory.
func heap() int64 {
	var m runtime.MemStats
	for range 2 { // the second run frees objects that have a cleanup
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A large file of a folder takes almost no memory: not while it is read, not while a revision
// keeps it, and not while it is served.
func TestLargeFileOfAFolderIsNotHeld(t *testing.T) {
	const size, most = 220_000_000, 4 << 20
	s, sandbox := newTestServer(t)
	dir, sum := film(t, size)
	before := heap()
	var started, read, served runtime.MemStats
	runtime.ReadMemStats(&started)
	files := serveFolder(t, s, sandbox, dir)
	runtime.ReadMemStats(&read)
	if took := read.TotalAlloc - started.TotalAlloc; took > most {
		t.Errorf("reading %d bytes took %d bytes of memory", size, took)
	}
	if kept := heap() - before; kept > 1<<20 {
		t.Errorf("a revision with %d bytes keeps %d in memory", size, kept)
	}
	entry, _ := files.Lookup("/film.mp4")
	if entry.Hash != sum || entry.Size != size {
		t.Fatalf("%+v, want %s", entry, sum)
	}
	handler := s.config.Limits.patient(s) // as Serve does
	whole := &hashing{counting{header: http.Header{}, status: 200}, sha256.New()}
	runtime.ReadMemStats(&read)
	handler.ServeHTTP(whole, sandbox.as("GET", protocol.BlobPath+sum.String(), ""))
	part := sandbox.as("GET", protocol.BlobPath+sum.String(), "")
	part.Header.Set("Range", "bytes=200000000-200000999")
	w := &counting{header: http.Header{}, status: 200}
	handler.ServeHTTP(w, part)
	runtime.ReadMemStats(&served)
	if whole.status != 200 || vfs.Hash(whole.Sum(nil)) != sum || w.status != 206 || w.bytes != 1_000 {
		t.Errorf("the whole: %d, %d bytes; a part: %d, %d bytes", whole.status, whole.bytes, w.status, w.bytes)
	}
	if took := served.TotalAlloc - read.TotalAlloc; took > most {
		t.Errorf("serving %d bytes took %d bytes of memory", size, took)
	}
	if kept := heap() - before; kept > 1<<20 {
		t.Errorf("afterwards %d bytes are kept", kept)
	}
	runtime.KeepAlive(files)
	t.Logf("kept %d bytes; reading allocated %d, serving %d", heap()-before, read.TotalAlloc-started.TotalAlloc, served.TotalAlloc-read.TotalAlloc)
}

// If a file changes between its revision and the request, the request is refused. If it
// changes while it is sent, the answer ends, and the client sees that it is incomplete.
func TestFileThatChangesWhileItIsServed(t *testing.T) {
	const size = 32 << 20 // more than connections buffer
	var log syncLog
	s, err := New(Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	empty, err := s.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := s.Create(Spec{Files: empty})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := &http.Server{Handler: s, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	go serving.Serve(listener)
	t.Cleanup(func() { serving.Close() })
	ask := func(t *testing.T, hash vfs.Hash, span string) *http.Response {
		t.Helper()
		r := sandbox.as("GET", protocol.BlobPath+hash.String(), "")
		r.RequestURI, r.Host = "", strings.TrimPrefix(sandbox.URL(), "http://")
		r.URL.Scheme, r.URL.Host = "http", listener.Addr().String()
		if span != "" {
			r.Header.Set("Range", span)
		}
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Body.Close() })
		return w
	}
	patch := func(t *testing.T, dir string, at int64) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(dir, "film.mp4"), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte("other"), at); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("before", func(t *testing.T) {
		dir, sum := film(t, size)
		serveFolder(t, s, sandbox, dir)
		patch(t, dir, 1<<20)
		for span, status := range map[string]int{"": 200, "bytes=0-99": 206, fmt.Sprintf("bytes=%d-", 1<<20+100): 410, fmt.Sprintf("bytes=%d-", 2<<20): 206} {
			w := ask(t, sum, span)
			body, err := io.ReadAll(w.Body)
			if w.StatusCode != status || span == "" != (err != nil) {
				t.Errorf("%q: %d with %d bytes, %v", span, w.StatusCode, len(body), err)
			}
			if bytes.Contains(body, []byte("other")) && status != 410 || len(body) > 1<<20 && span == "" {
				t.Errorf("%q: other bytes are sent, or bytes after them: %d in all", span, len(body))
			}
			if status == 410 && !strings.Contains(string(body), api.CodeFileChanged) {
				t.Errorf("the refusal is %s", body)
			}
		}
		if err := os.Remove(filepath.Join(dir, "film.mp4")); err != nil {
			t.Fatal(err)
		}
		w := ask(t, sum, "")
		if body, _ := io.ReadAll(w.Body); w.StatusCode != 410 || !strings.Contains(string(body), "it is gone") {
			t.Errorf("a file that is gone: %d %s", w.StatusCode, body)
		}
	})
	t.Run("while", func(t *testing.T) {
		dir, sum := film(t, size)
		serveFolder(t, s, sandbox, dir)
		w := ask(t, sum, "")
		start := make([]byte, 1<<20)
		if _, err := io.ReadFull(w.Body, start); err != nil {
			t.Fatal(err)
		}
		patch(t, dir, size-100)
		if rest, err := io.ReadAll(w.Body); err == nil || len(rest)+len(start) >= size || bytes.Contains(rest, []byte("other")) {
			t.Errorf("%d bytes come after the change, %v", len(rest), err)
		}
	})
	// In HTTP/2 a short answer does not break off by itself.
	t.Run("to whoever listens", func(t *testing.T) {
		dir, sum := film(t, size)
		serveFolder(t, s, sandbox, dir)
		defer func() {
			if stopped := recover(); stopped != http.ErrAbortHandler {
				t.Errorf("the handler ended with %v", stopped)
			}
		}()
		s.ServeHTTP(&onceWritten{counting{header: http.Header{}}, func() { patch(t, dir, size-100) }}, sandbox.as("GET", protocol.BlobPath+sum.String(), ""))
	})
	if text := log.String(); !strings.Contains(text, "a file changed on disk while it was served") || !strings.Contains(text, "a file changed on disk and is not served") {
		t.Errorf("the log says\n%s", text)
	}
}
