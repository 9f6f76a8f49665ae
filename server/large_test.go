package server

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A counting writer counts the bytes of an answer and keeps none of them.
type counting struct {
	header http.Header
	status int
	bytes  int64
}

func (c *counting) Header() http.Header    { return c.header }
func (c *counting) WriteHeader(status int) { c.status = status }
func (c *counting) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return len(b), nil
}

// A request for a content of the largest size costs the server a buffer, not a copy. With
// copies, a hundred requests at once would cost gigabytes.
func TestLargeContentIsNotCopied(t *testing.T) {
	s, sandbox := newTestServer(t)
	size := vfs.DefaultLimits().FileSize
	files, err := s.Store().Snapshot(map[string][]byte{"/large.bin": bytes.Repeat([]byte("x"), int(size))}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(files); err != nil {
		t.Fatal(err)
	}
	entry, _ := files.Lookup("/large.bin")
	handler := s.config.Limits.patient(s) // as Serve does
	for name, row := range map[string]struct {
		span   string
		status int
		bytes  int64
	}{
		"whole": {"", 200, size}, "part": {fmt.Sprintf("bytes=1000-%d", size-1), 206, size - 1000},
	} {
		t.Run(name, func(t *testing.T) {
			r := sandbox.as("GET", protocol.BlobPath+entry.Hash.String(), "")
			if row.span != "" {
				r.Header.Set("Range", row.span)
			}
			w := &counting{header: http.Header{}, status: 200}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			handler.ServeHTTP(w, r)
			runtime.ReadMemStats(&after)
			if w.status != row.status || w.bytes != row.bytes {
				t.Errorf("status %d with %d bytes, want %d with %d", w.status, w.bytes, row.status, row.bytes)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
				t.Errorf("the answer took %d bytes of memory", took)
			}
		})
	}
}

// A content that the worker passes on has the policy of a virtual file. Only the worker gets
// it.
func TestContentIsReadyToBeHandedOn(t *testing.T) {
	s, sandbox := newTestServer(t)
	files, err := s.Store().Snapshot(map[string][]byte{"/large.bin": []byte("0123456789")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(files); err != nil {
		t.Fatal(err)
	}
	entry, _ := files.Lookup("/large.bin")
	ask := func(path string, change func(http.Header)) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", sandbox.URL()+path, nil)
		r.Header.Set("Sec-Fetch-Dest", "empty")
		r.Header.Set(protocol.KeyHeader, sandbox.key)
		r.Header.Set(protocol.ContentHeader, entry.Hash.String()+" video/x-odd; a=b")
		r.Header.Set("Range", "bytes=2-4")
		change(r.Header)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	w := ask("/any/path", func(http.Header) {})
	if w.Code != http.StatusPartialContent || w.Body.String() != "234" {
		t.Fatalf("%d %q", w.Code, w.Body)
	}
	v, _ := sandbox.Version()
	want := v.Firewall.Headers(firewall.Inner, sandbox.site(v))
	want.Set("Content-Type", "video/x-odd; a=b")
	want.Set("Cache-Control", "no-cache")
	for name, values := range want {
		if got := w.Header()[name]; !slices.Equal(got, values) {
			t.Errorf("%s is %q, want %q", name, got, values)
		}
	}
	for name, row := range map[string]struct {
		path   string
		change func(http.Header)
		status int
	}{
		"no key":            {"/any/path", func(h http.Header) { h.Del(protocol.KeyHeader) }, http.StatusForbidden},
		"another key":       {"/any/path", func(h http.Header) { h.Set(protocol.KeyHeader, "x") }, http.StatusForbidden},
		"the secret":        {"/any/path", func(h http.Header) { h.Del(protocol.KeyHeader); h.Set(protocol.SecretHeader, sandbox.secret) }, http.StatusForbidden},
		"an empty segment":  {"//any/path", func(http.Header) {}, http.StatusBadRequest},
		"one further down":  {"/any//path", func(http.Header) {}, http.StatusBadRequest},
		"no hash":           {"/any/path", func(h http.Header) { h.Set(protocol.ContentHeader, "x text/html") }, http.StatusBadRequest},
		"a path of ours":    {"/.bellglass/x", func(http.Header) {}, http.StatusNotFound},
		"a foreign content": {"/any/path", func(h http.Header) { h.Set(protocol.ContentHeader, strings.Repeat("0", 64)+" text/html") }, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			w := ask(row.path, row.change)
			if w.Code != row.status || strings.Contains(w.Body.String(), "234") || strings.Contains(w.Header().Get("Content-Type"), "odd") {
				t.Errorf("%d %q %q", w.Code, w.Header().Get("Content-Type"), w.Body)
			}
		})
	}
}
