package server

import (
	"bytes"
	"errors"
)

// net/http answers a request over HTTP/2 itself if its header list is longer than the
// server's limit: with 431, and without a policy (unread.go says why that is a way out). No
// page can make a browser send such a list if the limit is far beyond what the bytes of
// its frames can hold. So the limit is maxHeaderList, and a connection is closed that sends
// a header of more than maxHeader bytes in its frames.
//
// A field counts 32 bytes beside its own (RFC 9113, section 6.5.2). The shortest that a page
// can add is a cookie without a name and with one character: 3 bytes in a frame, 39 in the list.
const maxHeaderList = 16 * maxHeader

var preface = []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

const (
	frameHead    = 9 // bytes (RFC 9113, section 4.1)
	headersFrame = 1
	continuation = 9
	endHeaders   = 4
)

var errLongFrames = errors.New("an HTTP/2 header is too long")

// frames follow what a client sends over HTTP/2 after its preface, and measure headers.
type frames struct {
	head    []byte // of the frame that comes, until it is whole
	payload int    // bytes of the frame that are still to come
	last    bool   // the frame ends a header
	header  int    // bytes of the header that is being sent
}

// read takes what was read, and returns an error if a header is too long.
func (f *frames) read(b []byte) error {
	for len(b) > 0 {
		if f.payload > 0 {
			n := min(f.payload, len(b))
			f.payload, b = f.payload-n, b[n:]
			if f.payload == 0 {
				f.end()
			}
			continue
		}
		n := min(frameHead-len(f.head), len(b))
		f.head, b = append(f.head, b[:n]...), b[n:]
		if len(f.head) < frameHead {
			return nil
		}
		f.payload = int(f.head[0])<<16 | int(f.head[1])<<8 | int(f.head[2])
		if kind := f.head[3]; kind == headersFrame || kind == continuation {
			f.header += f.payload
			f.last = f.head[4]&endHeaders != 0
		}
		f.head = f.head[:0]
		if f.header > maxHeader {
			return errLongFrames
		}
		if f.payload == 0 {
			f.end()
		}
	}
	return nil
}

// end is the end of a frame.
func (f *frames) end() {
	if f.last {
		f.header, f.last = 0, false
	}
}

// startsFrames reports whether what was read of a connection is the preface of HTTP/2, and
// what came after it.
func startsFrames(read []byte) (after []byte, is bool) { return bytes.CutPrefix(read, preface) }
