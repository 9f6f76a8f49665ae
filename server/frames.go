package server

import (
	"bytes"
	"errors"
)

// If the header list of an HTTP/2 request exceeds the server's limit, net/http itself answers
// with 431 and without a policy. unread.go explains why that is a way out. So the limit must
// be far beyond what a page can make a browser send.
//
// The server closes a connection that sends more than maxHeader bytes of one header in its
// frames. maxHeaderList is larger than any list that fits into these bytes. A list counts 32
// bytes for each field beside its own (RFC 9113, section 6.5.2). The shortest field that a
// page can add is a cookie without a name and with one character: 3 bytes in a frame, 39 in
// the list.
const maxHeaderList = 16 * maxHeader

var preface = []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

const (
	frameHead    = 9 // bytes (RFC 9113, section 4.1)
	headersFrame = 1
	continuation = 9
	endHeaders   = 4
)

var errLongFrames = errors.New("an HTTP/2 header is too long")

// frames parses the HTTP/2 frames that a client sends after its preface, and measures headers.
type frames struct {
	head    []byte // head of the next frame, until it is complete
	payload int    // bytes of the current frame that are still to come
	last    bool   // the current frame ends a header
	header  int    // bytes of the current header so far
}

// read parses bytes that were read. It returns an error if a header is too long.
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

// end handles the end of a frame.
func (f *frames) end() {
	if f.last {
		f.header, f.last = 0, false
	}
}

// startsFrames reports whether the bytes read from a connection begin with the preface of
// HTTP/2. It returns the bytes after the preface.
func startsFrames(read []byte) (after []byte, is bool) { return bytes.CutPrefix(read, preface) }
