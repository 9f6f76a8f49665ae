package sw_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/static"
)

// In each case, before is the part of the document that stays before the client script.
func TestWithClient(t *testing.T) {
	const bom = "\ufeff"
	long := "<!--" + strings.Repeat("x", 5000) + "-->"
	cases := []struct{ name, before, after string }{
		{"after the doctype", "<!doctype html>", "<html><head><title>x</title>"},
		{"upper case", "<!DOCTYPE HTML>", "\n<HTML>"},
		{"mixed case", "<!dOcTyPe html>", ""},
		{"old doctype", `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`, "<html>"},
		{"doctype on lines", "<!doctype\n\thtml\n>", "<p>"},
		{"white space before", " \t\r\n\f<!doctype html>", "<p>"},
		{"byte order mark", bom + "<!doctype html>", "<p>"},
		{"byte order mark alone", bom, "<p>"},
		{"comment before", "<!-- a > b --><!doctype html>", "<p>"},
		{"comments before", bom + "<!-- a -->\n<!-- <!doctype html> -->\n<!doctype html>", "<p>"},
		{"shortest comment", "<!--><!doctype html>", "<p>-->"},
		{"short comment", "<!---><!doctype html>", "<p>-->"},
		{"empty comment", "<!----><!doctype html>", "<p>"},
		{"XML declaration", `<?xml version="1.0" encoding="utf-8"?>` + "\n<!DOCTYPE html>", "<html>"},
		{"bytes of no encoding", "<!-- \xff\xfe\xe9 --><!doctype html>", "\xe9\xff"},

		{"no doctype", "", "<html><head>"},
		{"no doctype, text", "", "plain text"},
		{"empty", "", ""},
		{"comment and no doctype", "", "<!-- a --><html>"},
		{"XML declaration and no doctype", "", `<?xml version="1.0"?><html>`},
		{"doctype too late", "", "<p><!doctype html>"},
		{"no doctype but like one", "", "<!doc html>"},
		{"unterminated doctype", "", "<!doctype html"},
		{"unterminated comment", "", "<!-- <!doctype html>"},
		{"unterminated declaration", "", "<?xml <!doctype html"},
		{"unterminated, with a mark", bom, "<!-- <!doctype html>"},
		{"cut word", "", "<!doctyp"},
		{"far behind a comment", "", long + "<!doctype html>"},
	}
	// UTF-16: the script would insert bytes of another encoding.
	untouched := [][]byte{[]byte("\xff\xfe<\x00p\x00>\x00"), []byte("\xfe\xff\x00<\x00p\x00>"), {0xff, 0xfe}}

	var input [][]byte
	for _, c := range cases {
		input = append(input, []byte(c.before+c.after))
	}
	input = append(input, untouched...)
	const element = "<script>f()</script>"
	var output [][]byte
	runNode(t, `import { withClient } from '../sw/src/html'
declare const Buffer: any
print(input.documents.map((document: string) => Buffer.from(withClient(new Uint8Array(Buffer.from(document, 'base64')), input.element)).toString('base64')))
`, map[string]any{"documents": input, "element": element}, &output)
	if len(output) != len(input) {
		t.Fatalf("%d answers to %d documents", len(output), len(input))
	}
	for i, c := range cases {
		want := c.before + element + c.after
		if got := string(output[i]); got != want {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
		if got := string(static.WithClient([]byte(c.before+c.after), element)); got != want {
			t.Errorf("%s: the server makes %q of it, want %q", c.name, got, want)
		}
	}
	for i, document := range untouched {
		if got := output[len(cases)+i]; !bytes.Equal(got, document) || !bytes.Equal(static.WithClient(document, element), document) {
			t.Errorf("%q is changed to %q", document, got)
		}
	}
}
