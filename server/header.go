package server

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// A page can set cookies for all sandboxes below one registrable domain. The browser then
// sends them with every request to any of these sandboxes, for weeks. If the server refused
// the long header, that browser could never reach it again.
//
// So the server reads more than Chromium and Firefox send, drops the cookies, and tells the
// browser to delete them. These browsers send at most 180 cookies of 4 KiB (RFC 6265bis,
// section 5.7; measured: 626,227 bytes). WebKitGTK sends any number (3,274,410 bytes were
// measured). For such requests the refusal deletes the cookies (unread.go).
//
// The long headers of all connections share a memory budget. The size of a header without its
// cookies is bounded by freeHeader.

const (
	maxHeader  = 1 << 20  // maximum of one header that is read, in bytes
	freeHeader = 64 << 10 // maximum of a header without its cookies, in bytes; a header up to this size costs no budget
	headerSlop = 4 << 10  // bytes that a read may go beyond a header's end, as in net/http
	maxHead    = 8 << 10  // bytes at the beginning of a header in which its host is searched

	drainTime  = 5 * time.Second
	drainBytes = 16 << 20
)

const (
	clearSiteData = "Clear-Site-Data"
	onlyCookies   = `"cookies"`
)

// errHeaders makes net/http refuse a request.
var errHeaders = errors.New("the headers of all requests together take too much memory")

// A header holds what has been read of one request's header.
type header struct {
	budget *allowance
	taken  int64 // bytes taken from the budget
	size   int
	head   []byte
	end    headerEnd
	ended  bool
}

// take counts bytes that were read. It reports whether there is memory for them.
func (h *header) take(b []byte) bool {
	h.head = append(h.head, b[:min(len(b), maxHead-len(h.head))]...)
	h.ended = h.end.find(b)
	return h.grow(h.size + len(b))
}

// grow sets the size. It reports whether there is memory for it.
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

// host returns the value of the Host header, or "" if it is not near the beginning, where
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

// A headerEnd finds the empty line at the end of a header that arrives in pieces.
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

// withoutCookies removes the cookies from a request, because nothing here reads them. It
// reports whether the header is short enough without them.
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

// refuseLong answers a request whose header is too long even without its cookies.
func refuseLong(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusRequestHeaderFieldsTooLarge)
	fmt.Fprintf(w, "The request's address and headers have more than %d bytes.\n\nBellglass: header-too-large\n", freeHeader)
}
