package server

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A counting writer takes an answer and keeps none of it.
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

// Whoever asks for a content of the largest size costs the server a buffer, not a
// copy: a hundred at once would cost gigabytes.
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
	handler := s.config.Limits.patient(s) // as Serve has it
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
