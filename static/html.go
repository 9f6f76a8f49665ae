package static

import "bytes"

// window is how many bytes at the start of a document or script are examined. A doctype
// further down has no effect.
const window = 4096

// WithClient inserts the element of the client script after the doctype of an HTML
// document, so that it becomes the first element of the head. WithClient leaves UTF-16
// alone, which a byte order mark announces.
func WithClient(document []byte, element string) []byte {
	if bytes.HasPrefix(document, []byte("\xfe\xff")) || bytes.HasPrefix(document, []byte("\xff\xfe")) {
		return document
	}
	at := insertionPoint(document[:min(len(document), window)])
	return bytes.Join([][]byte{document[:at], document[at:]}, []byte(element))
}

// insertionPoint returns the offset after the byte order mark, white space, comments,
// and doctype, or after the mark alone if there is no doctype. For an HTML parser the
// comments <!--> and <!---> end at once, and an XML declaration is a comment.
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
