package server

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// The answer to a Range is exactly the part that the answer claims to be.
func FuzzBlobRange(f *testing.F) {
	s, sandbox := unlimited(f)
	content := make([]byte, 300)
	for i := range content {
		content[i] = byte(i)
	}
	files, err := s.Store().Snapshot(map[string][]byte{"/index.html": []byte("x"), "/c.bin": content, "/empty": nil}, vfs.DefaultLimits())
	if err != nil {
		f.Fatal(err)
	}
	if _, err := sandbox.SetFiles(files); err != nil {
		f.Fatal(err)
	}
	contents := map[string][]byte{}
	for entry := range files.Entries() {
		blob, _ := files.Blob(entry.Hash)
		if contents[entry.Path], err = blob.Bytes(); err != nil {
			f.Fatal(err)
		}
	}
	hash := func(path string) string {
		entry, _ := files.Lookup(path)
		return entry.Hash.String()
	}
	for _, seed := range []string{
		"", "bytes=0-", "bytes=0-0", "bytes=299-", "bytes=300-", "bytes=-1", "bytes=-0", "bytes=-999", "bytes=5-4", "bytes=0-1,3-4", "bytes=0-,0-,0-,0-",
		"bytes=-5,0-4", "bytes= 0 - 4", "bytes=0-99999999999999999999", "items=0-1", "bytes=", "bytes=0", "bytes=a-b", "bytes=0-1,", "BYTES=0-1",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, empty bool) {
		path := "/c.bin"
		if empty {
			path = "/empty"
		}
		whole := contents[path]
		r := httptest.NewRequest("GET", sandbox.URL()+protocol.BlobPath+hash(path), nil)
		r.Header = http.Header{"Range": {text}, "Sec-Fetch-Dest": {"empty"}, protocol.KeyHeader: {sandbox.key}}
		got := serveOn(s, r)
		checkResponse(t, got)
		switch got.status {
		case http.StatusOK:
			if got.body != string(whole) {
				t.Errorf("%q: 200 with %d bytes", text, len(got.body))
			}
		case http.StatusRequestedRangeNotSatisfiable:
			// If Content-Range is missing, net/http could not parse the range.
			if says := got.header.Get("Content-Range"); says != "" && says != fmt.Sprintf("bytes */%d", len(whole)) {
				t.Errorf("%q: 416 with the Content-Range %q", text, got.header.Get("Content-Range"))
			}
		case http.StatusPartialContent:
			if kind := got.header.Get("Content-Type"); kind != "application/octet-stream" {
				t.Errorf("%q: 206 with the type %q", text, kind)
			}
			checkPart(t, text, got.header.Get("Content-Range"), []byte(got.body), whole)
		default:
			t.Errorf("%q: status %d", text, got.status)
		}
	})
}

func checkPart(t *testing.T, text, says string, body, whole []byte) {
	t.Helper()
	var first, last, size int
	if _, err := fmt.Sscanf(says, "bytes %d-%d/%d", &first, &last, &size); err != nil {
		t.Fatalf("%q: the Content-Range %q: %v", text, says, err)
	}
	if size != len(whole) || first < 0 || last < first || last >= size || !bytes.Equal(body, whole[first:last+1]) {
		t.Errorf("%q: Content-Range %q with %d bytes of %d, or others", text, says, len(body), len(whole))
	}
}
