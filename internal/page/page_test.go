package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/internal/page"
)

const template = `<!doctype html>
<style>{{.Style}}</style>
<script type="application/json">{{.Data}}</script>
<script>{{.Script}}</script>
`

// The browser computes another hash for code that an HTML parser cuts short or changes,
// and does not run it. New must notice at startup.
func TestNewRefuses(t *testing.T) {
	const end, replaced = "where its element ends", "bytes that an HTML parser replaces"
	for _, c := range []struct{ script, style, says string }{
		{"x = '</script>'", "", end},
		{"x = '</SCRIPT '", "", end},
		{"</ScRiPt", "", end},
		{"x = '<!--'", "", end},
		{"<!-- a comment that hides <script", "", end},
		{"", "a { content: '</style>' }", end},
		{"", "</StYlE", end},
		{"", "<!--", end},
		{"a\rb", "", replaced},
		{"a\r\r\nb", "", replaced},
		{"", "a\rb", replaced},
		{"a\x00b", "", replaced},
		{"", "a\x00b", replaced},
		{"a\xffb", "", replaced},
		{"", "\xc3", replaced},
	} {
		p, err := page.New("evil.html", template, []byte(c.script), []byte(c.style))
		if err == nil || p != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("script %q, style %q: got %v, want an error with %q", c.script, c.style, err, c.says)
			continue
		}
		which := "script"
		if c.script == "" {
			which = "style"
		}
		if text := err.Error(); !strings.Contains(text, "page evil.html: the inline "+which) {
			t.Errorf("script %q, style %q: the error %q does not say where", c.script, c.style, text)
		}
	}
	if p, err := page.New("broken.html", "{{.Script", nil, nil); err == nil || p != nil || !strings.Contains(err.Error(), "broken.html") {
		t.Errorf("an invalid template gives %v, %v", p, err)
	}
}

// The element's content, after an HTML parser, has exactly the hash that the policy
// names.
func TestHashesMatchWhatIsRendered(t *testing.T) {
	for name, c := range map[string]struct{ script, style string }{
		"plain":            {"const a = 1\n", "p { color: red }\n"},
		"CRLF":             {"const a = 1\r\nconst b = 2\r\n", "p {\r\n}\r\n"},
		"line break first": {"\nconst a = 1", "\np {}"},
		"no ASCII":         {"const ä = '☂ \U0001F302 \u2028'", "p::after { content: '☂' }"},
		// A template would escape this if it did not know that it is code.
		"markup":         {`if (a < b && c > d) x = "<p>'&amp;'</p>" + '<\/script>'`, `p > q::before { content: "<&'\\" }`},
		"template":       {"const a = `{{.Data}} ${b}`", "p::after { content: '{{.Style}}' }"},
		"the other end":  {"x = '</style>'", "/* </script> */"},
		"only a bracket": {"<! -- <!- <script", "<! -- <!-"},
		"byte order":     {"\ufeffconst a = 1", "\ufeffp {}"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := page.New("page.html", template, []byte(c.script), []byte(c.style))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := p.Render(&b, "data"); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "\r") {
				t.Errorf("a carriage return is sent, which the browser would replace: %q", b.String())
			}
			for _, part := range []struct{ what, begin, end, hash, text string }{
				{"script", "<script>", "</script>", p.ScriptHash(), c.script}, {"style", "<style>", "</style>", p.StyleHash(), c.style},
			} {
				_, rest, ok := strings.Cut(b.String(), part.begin)
				content, _, ended := strings.Cut(rest, part.end)
				if !ok || !ended {
					t.Fatalf("there is no %s in %q", part.what, b.String())
				}
				sum := sha256.Sum256([]byte(content))
				if want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); part.hash != want {
					t.Errorf("the hash of the %s is %s, but that of the sent content is %s: %q", part.what, part.hash, want, content)
				}
				if want := strings.ReplaceAll(part.text, "\r\n", "\n"); content != want {
					t.Errorf("the %s is sent as %q, want %q", part.what, content, want)
				}
			}
		})
	}
}

// An empty element runs nothing. A hash for it would make the policy look as if the
// page had a script.
func TestEmptyCodeHasNoHash(t *testing.T) {
	p, err := page.New("page.html", template, nil, []byte{})
	if err != nil {
		t.Fatal(err)
	}
	if p.ScriptHash() != "" || p.StyleHash() != "" {
		t.Errorf("the hashes are %q and %q", p.ScriptHash(), p.StyleHash())
	}
}

// Data that differs between readers stays in its block, and the script stays the same.
func TestDataStaysInItsBlock(t *testing.T) {
	p, err := page.New("page.html", template, []byte("const a = 1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []any{"</script><script>evil()</script>", "<!--<script>", map[string]string{"</script>": "\u2028"}, nil} {
		var b strings.Builder
		if err := p.Render(&b, data); err != nil {
			t.Errorf("%v: %v", data, err)
			continue
		}
		text := b.String()
		if strings.Count(text, "<script") != 2 || strings.Count(text, "</script>") != 2 || strings.Contains(text, "<!--") || !strings.Contains(text, "<script>const a = 1</script>") {
			t.Errorf("%v is rendered as %q", data, text)
		}
	}
}

func TestRenderFails(t *testing.T) {
	p, err := page.New("page.html", template+"{{.Missing}}", nil, nil)
	if err == nil {
		err = p.Render(&strings.Builder{}, nil)
	}
	if err == nil {
		t.Error("a field that is not there is rendered")
	}
	if p, err = page.New("page.html", template, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Render(fullDisk{}, nil); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails gives %v", err)
	}
}

var errFull = errors.New("full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
