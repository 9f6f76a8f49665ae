package static

import (
	"bytes"

	"github.com/bellglass/bellglass/protocol"
)

// window is how much of a document or a script is looked at, in bytes: a doctype further
// down is no doctype.
const window = 4096

// WithClient puts the client script behind the doctype of an HTML document, where the
// parser takes it for the first element of the head. script is its text, or "" for a document
// that has to load it. UTF-16, which a byte order mark announces, is left alone.
func WithClient(document []byte, script string) []byte {
	if bytes.HasPrefix(document, []byte("\xfe\xff")) || bytes.HasPrefix(document, []byte("\xff\xfe")) {
		return document
	}
	element := `<script src="` + protocol.ClientPath + `"></script>`
	if script != "" {
		element = "<script>" + script + "</script>"
	}
	at := insertionPoint(document[:min(len(document), window)])
	return bytes.Join([][]byte{document[:at], document[at:]}, []byte(element))
}

// insertionPoint is the offset behind byte order mark, white space, comments and doctype,
// or behind the mark alone if there is no doctype. The comments <!--> and <!---> end where
// they begin, and an XML declaration is a comment to an HTML parser.
func insertionPoint(text []byte) int {
	start := len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	at := start
	for {
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\n\f\r"))
		rest := text[at:]
		skip := 0
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			if skip = bytes.Index(rest[2:], []byte("-->")); skip >= 0 {
				skip += len("<!-->")
			}
		case bytes.HasPrefix(rest, []byte("<?")):
			if skip = bytes.IndexByte(rest, '>'); skip >= 0 {
				skip++
			}
		case len(rest) >= len("<!doctype") && bytes.EqualFold(rest[:len("<!doctype")], []byte("<!doctype")):
			if end := bytes.IndexByte(rest, '>'); end >= 0 {
				return at + end + 1
			}
			return start
		default:
			return start
		}
		if skip < 0 {
			return start
		}
		at += skip
	}
}
