package hostpage_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	hostpage "github.com/bellglass/bellglass/host-page"
	"github.com/bellglass/bellglass/internal/page"
)

const script = "(() => { const tag = '<b>' + `</${'p'}>` + \"\\u2028\" && 1 < 2; })();\n"

var hostile = []hostpage.Data{
	{Name: "app", SandboxURL: "http://id.sandbox.localhost:3333", OuterURL: "http://sandbox.localhost:3333/id", Policy: "rules.yaml", Version: "1.0.0"},
	{Name: `</script><script>alert(1)</script>`, OuterURL: `http://x/"></iframe><script>alert(2)</script>`, Policy: `</style><style>*{}`},
	{Name: `</title><script>alert(3)</script>`, SandboxURL: `javascript:alert(4)`, Version: `" onload="alert(5)`},
	{Name: `"'` + "`${alert(6)}\\", Policy: "<!--<script>", Version: "'><svg onload=alert(7)>"},
	{Name: "naïve 日本語 \u202egpj.exe\u2028 \U0001f514", Policy: "a\x00b\xff\r\n"},
}

// elements finds elements in the page as an HTML parser does: the end of the tag, then
// everything up to the closing tag.
func elements(html, tag string) (attributes, contents []string) {
	for _, m := range regexp.MustCompile(`(?is)<`+tag+`\b([^>]*)>(.*?)</`+tag+`\s*>`).FindAllStringSubmatch(html, -1) {
		attributes, contents = append(attributes, m[1]), append(contents, m[2])
	}
	return attributes, contents
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func render(t *testing.T, d hostpage.Data) (*page.Page, string) {
	t.Helper()
	p, err := hostpage.New([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Render(&b, d); err != nil {
		t.Fatal(err)
	}
	return p, b.String()
}

func TestHashesAreOfTheBytesBetweenTheTags(t *testing.T) {
	for _, d := range hostile {
		p, html := render(t, d)
		attributes, scripts := elements(html, "script")
		if len(scripts) != 2 || strings.Count(strings.ToLower(html), "<script") != 2 {
			t.Fatalf("%q: %d script elements, want the data block and the script:\n%s", d.Name, len(scripts), html)
		}
		if !strings.Contains(attributes[0], `type="application/json"`) {
			t.Errorf("%q: the first script element is %q, want the data block", d.Name, attributes[0])
		}
		if strings.TrimSpace(attributes[1]) != "" || hash(scripts[1]) != p.ScriptHash() {
			t.Errorf("%q: the executable script <script%s> is not the one that ScriptHash names", d.Name, attributes[1])
		}
		styleAttributes, styles := elements(html, "style")
		if len(styles) != 1 || strings.Count(strings.ToLower(html), "<style") != 1 || styleAttributes[0] != "" {
			t.Fatalf("%q: %d style elements, want one", d.Name, len(styles))
		}
		if hash(styles[0]) != p.StyleHash() {
			t.Errorf("%q: the style is not the one that StyleHash names", d.Name)
		}
	}
}

func TestThePageNeedsNoLooserPolicy(t *testing.T) {
	_, plain := render(t, hostile[0])
	for _, d := range hostile {
		_, html := render(t, d)
		_, scripts := elements(html, "script")
		// Data may show up as text and in the data block; the markup is the same.
		tags := func(html string) []string { return regexp.MustCompile(`<[a-zA-Z]+`).FindAllString(html, -1) }
		if got, want := len(tags(strings.ReplaceAll(html, scripts[0], ""))), len(tags(plain)); got != want {
			t.Errorf("%q: the page has %d tags, want %d", d.Name, got, want)
		}
	}
	for _, refused := range []string{`\sstyle=`, `\son[a-z]+=`, `(?i)javascript:`, `(?i)<base`, `(?i)<form`, `(?i)<iframe`} {
		_, styles := elements(plain, "style")
		if m := regexp.MustCompile(refused).FindString(strings.ReplaceAll(plain, styles[0], "")); m != "" {
			t.Errorf("the page contains %q, which its policy refuses or which it has no use for", m)
		}
	}
}

func TestDataComesThroughWhole(t *testing.T) {
	for _, d := range hostile {
		_, html := render(t, d)
		_, scripts := elements(html, "script")
		var got hostpage.Data
		if err := json.Unmarshal([]byte(scripts[0]), &got); err != nil {
			t.Fatalf("%q: the data block is not JSON: %v\n%s", d.Name, err, scripts[0])
		}
		want := d
		want.Policy = strings.ToValidUTF8(d.Policy, "\ufffd")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the data block (-want +got):\n%s", diff)
		}
	}
}

func TestNewRefusesWhatWouldNotReachTheBrowserWhole(t *testing.T) {
	for _, bad := range []string{"'</script>'", "'</ScRiPt '", "'<!-- x'", "'\x00'", "'\xff'", "a\rb"} {
		if _, err := hostpage.New([]byte(bad)); err == nil {
			t.Errorf("New accepted the script %q", bad)
		}
	}
	if _, err := hostpage.New([]byte("a()\r\nb()\r\n")); err != nil {
		t.Errorf("New refused a script with another system's line breaks: %v", err)
	}
}

func TestSourceHoldsTheEntry(t *testing.T) {
	if _, err := hostpage.TypeScript.ReadFile("host.ts"); err != nil {
		t.Fatal(err)
	}
}

// The page never parses text of untrusted code as HTML or runs it.
func TestSourceHasNoSinks(t *testing.T) {
	sinks := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|document\.write|DOMParser|\beval\(|new Function|javascript:`)
	entries, err := hostpage.TypeScript.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := hostpage.TypeScript.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if sink := sinks.Find(text); sink != nil {
			t.Errorf("%s uses %s", e.Name(), sink)
		}
	}
}
