package server

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// A page can set cookies for all sandboxes below one registrable domain, and the
// browser then sends them with every request to any of these, for weeks. A server
// that refuses the long header is out of reach of that browser. So the server reads
// more than Chromium and Firefox send, which is 180 cookies of 4 KiB (RFC 6265bis,
// section 5.7; measured: 626,227 bytes), drops the cookies, and tells the browser to
// delete them. WebKitGTK sends any number (3,274,410 bytes were measured): there the
// refusal says so (unread.go).
//
// Long headers of all connections together have a budget. Without cookies a header
// is bounded as before.

const (
	maxHeader  = 1 << 20  // bytes that are read of one header
	freeHeader = 64 << 10 // bytes of a header without its cookies, and what no budget counts
	headerSlop = 4 << 10  // bytes by which a read may go beyond a header's end, as in net/http
	maxHead    = 8 << 10  // bytes at a header's beginning in which its host is looked for

	drainTime  = 5 * time.Second
	drainBytes = 16 << 20
)

const (
	clearSiteData = "Clear-Site-Data"
	onlyCookies   = `"cookies"`
)

// errHeaders makes net/http refuse a request.
var errHeaders = errors.New("the headers of all requests together take too much memory")

// A header is what has been read of one request.
type header struct {
	budget *allowance
	taken  int64 // of the budget
	size   int
	head   []byte
	end    headerEnd
	ended  bool
}

// take counts bytes, and reports whether there is memory for them.
func (h *header) take(b []byte) bool {
	h.head = append(h.head, b[:min(len(b), maxHead-len(h.head))]...)
	h.ended = h.end.find(b)
	return h.grow(h.size + len(b))
}

// grow sets the size, and reports whether there is memory for it.
func (h *header) grow(size int) bool {
	h.size = size
	more := int64(h.size-freeHeader) - h.taken
	if more <= 0 {
		return true
	}
	if !h.budget.take(more) {
		return false
	}
	h.taken += more
	return true
}

// reset gives the memory back.
func (h *header) reset() {
	h.budget.give(h.taken)
	*h = header{budget: h.budget}
}

// host returns the value of the Host header, if it stands near the beginning, as
// browsers put it.
func (h *header) host() string {
	for line := range bytes.Lines(h.head) {
		name, value, found := bytes.Cut(line, []byte(":"))
		if found && bytes.EqualFold(name, []byte("Host")) && bytes.HasSuffix(value, []byte("\r\n")) {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// A headerEnd finds the empty line at a header's end, in pieces.
type headerEnd struct{ last []byte }

func (e *headerEnd) find(b []byte) bool {
	const empty = "\r\n\r\n"
	joined := append(e.last, b[:min(len(b), len(empty)-1)]...)
	found := bytes.Contains(joined, []byte(empty)) || bytes.Contains(b, []byte(empty))
	if len(b) >= len(empty)-1 {
		joined = b
	}
	e.last = bytes.Clone(joined[max(0, len(joined)-len(empty)+1):])
	return found
}

// withoutCookies takes the cookies off a request, which nothing here reads, and
// reports whether it is short enough without them.
func withoutCookies(r *http.Request) bool {
	r.Header.Del("Cookie")
	size := len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	return size <= freeHeader
}

// refuseLong answers a request whose header is too long without its cookies.
func refuseLong(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusRequestHeaderFieldsTooLarge)
	fmt.Fprintf(w, "The request's address and headers have more than %d bytes.\n\nBellglass: header-too-large\n", freeHeader)
}
