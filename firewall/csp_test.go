package firewall_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/browsermodel"
	"github.com/bellglass/bellglass/rules"
)

var update = flag.Bool("update", false, "write testdata/headers/*.txt anew; read the diff afterwards")

// site is the location of the sandbox in these tests.
var site = firewall.Site{
	Inner: "http://abc.sandbox.localhost:3333", Outer: "http://sandbox.localhost:3333",
	Embedders: []string{"http://localhost:3333", "http://127.0.0.1:3333"},
	Controls:  []string{"http://*.localhost:4444"},
	Reports:   "http://abc.sandbox.localhost:3333/report",
	Inline: map[firewall.Class]firewall.Inline{
		firewall.Inner:    {Script: "sha256-client"},
		firewall.Boot:     {Script: "sha256-boot", Style: "sha256-boot-style"},
		firewall.Outer:    {Script: "sha256-outer", Style: "sha256-outer-style"},
		firewall.HostPage: {Script: "sha256-host", Style: "sha256-host-style"},
		firewall.SelfTest: {Script: "sha256-self-test", Style: "sha256-self-test-style"},
	},
}

// judge returns the firewall of a policy whose text begins after the version.
func judge(t testing.TB, text string) *firewall.Firewall {
	t.Helper()
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return firewall.New(policy)
}

// opened returns, by directive, the sources that a firewall's policy for the class has beyond
// those of a firewall that blocks everything.
func opened(t testing.TB, f *firewall.Firewall, c firewall.Class) map[string][]string {
	t.Helper()
	closed := directives(t, firewall.New(nil).Headers(c, site))
	all := directives(t, f.Headers(c, site))
	more := map[string][]string{}
	for name, sources := range all {
		if _, ok := closed[name]; !ok {
			t.Errorf("the policy has the directive %s, which the closed one has not", name)
		}
		for _, source := range sources {
			if !slices.Contains(closed[name], source) {
				more[name] = append(more[name], source)
			}
		}
	}
	for name := range closed {
		if _, ok := all[name]; !ok {
			t.Errorf("the policy lacks the directive %s", name)
		}
	}
	return more
}

// The mapping from a pattern to the narrowest source that covers it.
func TestSources(t *testing.T) {
	for _, c := range []struct {
		allow string // one pattern, or a list in YAML
		want  []string
	}{
		// Scheme and port.
		{"https://h.example", []string{"https://h.example"}},
		{"https://h.example:443", []string{"https://h.example"}},
		{"https://h.example:80", []string{"https://h.example:80"}},
		{"https://h.example:8443", []string{"https://h.example:8443"}},
		{"https://h.example:*", []string{"https://h.example:*"}},
		{"http://h.example", []string{"http://h.example"}},
		{"http://h.example:80", []string{"http://h.example"}},
		{"http://h.example:443", []string{"http://h.example:443"}},
		{"http://h.example:*/p", []string{"http://h.example:*/p"}},

		// Host.
		{"https://H.EXAMPLE", []string{"https://h.example"}},
		{"https://localhost", []string{"https://localhost"}},
		{"https://*.h.example", []string{"https://*.h.example"}},
		{"https://**.h.example", []string{"https://*.h.example"}},
		{"[https://h.example, https://*.h.example]", []string{"https://h.example", "https://*.h.example"}},
		{"'https://{a,b}.h.example'", []string{"https://a.h.example", "https://b.h.example"}},
		{"https://api-*.h.example", []string{"https://*.h.example"}},
		{"https://*-api.h.example", []string{"https://*.h.example"}},
		{"https://a.*.h.example", []string{"https://*.h.example"}},
		{"https://*.a-*.h.example", []string{"https://*.h.example"}},
		{"[https://a-*.h.example, https://b-*.h.example]", []string{"https://*.h.example"}}, // no source twice
		{"https://a_b.h.example", []string{"https://*.h.example"}},
		{"https://_x.h.example", []string{"https://*.h.example"}},
		{"https://a.b_c.d.h.example", []string{"https://*.d.h.example"}},
		{"https://*.a_b.h.example", []string{"https://*.h.example"}},
		{"https://bücher.example", []string{"https://xn--bcher-kva.example"}},
		{"https://*.xn--bcher-kva.example", []string{"https://*.xn--bcher-kva.example"}},
		{"http://127.0.0.1:8080", []string{"http://127.0.0.1:8080"}},
		{"http://10.0.0.7", []string{"http://10.0.0.7"}},

		// Path.
		{"https://h.example/**", []string{"https://h.example"}},
		{"https://h.example/", []string{"https://h.example"}}, // the path / would match every path
		{"https://h.example/*", []string{"https://h.example"}},
		{"https://h.example/p", []string{"https://h.example/p"}},
		{"https://h.example/p/", []string{"https://h.example/p/"}},
		{"https://h.example/p/**", []string{"https://h.example/p/"}},
		{"https://h.example/p/*", []string{"https://h.example/p/"}},
		{"https://h.example/p*", []string{"https://h.example"}},
		{"https://h.example/p/q*r/s", []string{"https://h.example/p/"}},
		{"https://h.example/p/*/x.js", []string{"https://h.example/p/"}},
		{"https://h.example/p/**/x.js", []string{"https://h.example/p/"}},
		{"https://h.example/**/*.js", []string{"https://h.example"}},
		{"'https://h.example/{x,y}/**'", []string{"https://h.example/x/", "https://h.example/y/"}},
		{"https://h.example/P", []string{"https://h.example/P"}},
		{"https://h.example/a//b", []string{"https://h.example/a//b"}},
		{"https://h.example//a", []string{"https://h.example"}}, // such a path is invalid in CSP's grammar
		{"https://h.example//**", []string{"https://h.example"}},

		// Spelling.
		{"https://h.example/a%20b", []string{"https://h.example/a%20b"}},
		{"https://h.example/caf%c3%a9", []string{"https://h.example/caf%C3%A9"}},
		{"https://h.example/café", []string{"https://h.example/caf%C3%A9"}},
		{"https://h.example/%61", []string{"https://h.example/a"}},
		{"'https://h.example/a;b,c'", []string{"https://h.example/a%3Bb%2Cc"}},
		{"https://h.example/a%3Bb%2Cc", []string{"https://h.example/a%3Bb%2Cc"}},
		{"https://h.example/%0Ascript-src%20%2A", []string{"https://h.example/%0Ascript-src%20*"}},
		{"https://h.example/~-._!$&'()+=:@", []string{"https://h.example/~-._!$&'()+=:@"}},
		{"https://h.example/%2A", []string{"https://h.example/*"}}, // in a source, a star is a literal
		{"'https://h.example/%22%3C%3E%3F%23%5B%5D%5E%60%7B%7C%7D'", []string{"https://h.example/%22%3C%3E%3F%23%5B%5D%5E%60%7B%7C%7D"}},
	} {
		f := judge(t, "rules: [{types: [fetch], allow: "+c.allow+"}]")
		want := map[string][]string{"connect-src": c.want}
		for name, class := range map[string]firewall.Class{"document": firewall.Inner, "worker": firewall.WorkerScript} {
			if diff := cmp.Diff(want, opened(t, f, class)); diff != "" {
				t.Errorf("%s, the %s's policy (-want +got):\n%s", c.allow, name, diff)
			}
		}
		for _, source := range c.want {
			if _, err := browsermodel.ParseSource(source); err != nil {
				t.Errorf("%s: the browser drops the source: %v", c.allow, err)
			}
		}
	}
}

// A pattern without a narrow source is rejected. Otherwise the browser's policy would promise
// less than the rule, or allow much more.
func TestPatternsWithoutASource(t *testing.T) {
	for _, pattern := range []string{
		"h.example", "'*.h.example'", "//h.example", "data:", "blob:", "mediastream:", "'https:'", "about:blank",
		"https://*", "https://*:8443", "https://h.*", "https://*.com", "https://*.co.uk", "https://*h.example",
		"https://h.example./", "https://u:p@h.example/", "'https://h.example/?q=1'", "'https://h.example/#f'", "https://h.example/%2F",
		"https://a_b", "https://a_b.com", "https://a_b.github.io", "https://a.b_c.com", "https://x.a_b.s3.amazonaws.com", "https://a-*.b_c.co.uk",
		`"https://h.example/\n"`, `"https://h.example/ https://evil.example"`, `"https://h.example\r\nX: y"`,
		"'http://[::1]:8080'", "wss://[::1]", "wss://a_b.h.example", "wss://a-*.h.example", "wss://h.example/*", "wss://h.example/p/", "wss://h.example//p",
	} {
		if policy, err := rules.Parse("policy.yaml", []byte("version: 1\nrules: [{allow: "+pattern+"}]")); err == nil {
			t.Errorf("%s is accepted; its policy is %q", pattern, firewall.New(policy).Headers(firewall.Inner, site))
		}
	}
}

func TestTypesAreDirectives(t *testing.T) {
	const source = "https://h.example"
	both := []string{source}
	for _, c := range []struct {
		types            string
		document, worker map[string][]string
	}{
		{"fetch", map[string][]string{"connect-src": both}, map[string][]string{"connect-src": both}},
		{"script", map[string][]string{"script-src": both}, map[string][]string{"connect-src": both}},
		{"style", map[string][]string{"style-src": both}, map[string][]string{"connect-src": both}},
		{"image", map[string][]string{"img-src": both}, map[string][]string{"connect-src": both}},
		{"font", map[string][]string{"font-src": both}, map[string][]string{"connect-src": both}},
		{"media", map[string][]string{"media-src": both}, map[string][]string{"connect-src": both}},
		{"worker", map[string][]string{"worker-src": both}, map[string][]string{"connect-src": both}},
		// The parent's worker does not request a frame's document.
		{"frame", map[string][]string{"frame-src": both}, map[string][]string{}},
		{"script, style", map[string][]string{"script-src": both, "style-src": both}, map[string][]string{"connect-src": both}},
		// No types means all except frame, which must be named.
		{"", map[string][]string{
			"connect-src": both, "script-src": both, "style-src": both, "img-src": both, "font-src": both, "media-src": both, "worker-src": both,
		}, map[string][]string{"connect-src": both}},
	} {
		text := "rules: [{allow: " + source + "}]"
		if c.types != "" {
			text = "rules: [{allow: " + source + ", types: [" + c.types + "]}]"
		}
		f := judge(t, text)
		if diff := cmp.Diff(c.document, opened(t, f, firewall.Inner)); diff != "" {
			t.Errorf("[%s], the document's policy (-want +got):\n%s", c.types, diff)
		}
		if diff := cmp.Diff(c.worker, opened(t, f, firewall.WorkerScript)); diff != "" {
			t.Errorf("[%s], the worker's policy (-want +got):\n%s", c.types, diff)
		}
	}
}

// A WebSocket needs a source with its own scheme, because an https source does not cover it.
// Such a source must not appear in directives that open no WebSocket.
func TestWebSocketSources(t *testing.T) {
	f := judge(t, `rules:
  - allow: [wss://h.example, "ws://localhost:*/live/**", "wss://localhost:*/live/**", https://both.example]
  - {allow: wss://only.example:8443/exact, types: [websocket]}
`)
	want := []string{"https://both.example", "wss://h.example", "ws://localhost:*/live/", "wss://localhost:*/live/", "wss://only.example:8443/exact"}
	got := opened(t, f, firewall.Inner)
	slices.Sort(want)
	slices.Sort(got["connect-src"])
	if diff := cmp.Diff(want, got["connect-src"]); diff != "" {
		t.Errorf("connect-src (-want +got):\n%s", diff)
	}
	for name, sources := range got {
		if name != "connect-src" && !slices.Equal(sources, []string{"https://both.example"}) {
			t.Errorf("%s has %q", name, sources)
		}
	}
	if diff := cmp.Diff(map[string][]string{"connect-src": {"https://both.example"}}, opened(t, f, firewall.WorkerScript)); diff != "" {
		t.Errorf("the worker's policy (-want +got):\n%s", diff)
	}
	if _, patterns := connections(t, f.Headers(firewall.WorkerScript, site)); !slices.Equal(patterns, []string{"https://both.example/*"}) {
		t.Errorf("the worker may connect to %q", patterns)
	}
}

// CSP has no methods and cannot take back what it allows. So rules about these do not change
// the sources; the worker decides.
func TestWhatSourcesCannotSay(t *testing.T) {
	f := judge(t, `rules:
  - {allow: https://a.example, methods: [POST], types: [fetch]}
  - {block: https://a.example/private/**, types: [fetch]}
  - {block: https://*.b.example, except: [https://ok.b.example], types: [fetch]}
  - {block: https://c.example}
`)
	if diff := cmp.Diff(map[string][]string{"connect-src": {"https://a.example"}}, opened(t, f, firewall.Inner)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, patterns := connections(t, f.Headers(firewall.Inner, site)); !slices.Equal(patterns, []string{"https://a.example/*"}) {
		t.Errorf("the document may connect to %q", patterns)
	}
}

func TestScripts(t *testing.T) {
	for _, c := range []struct {
		scripts string
		want    map[string][]string
	}{
		{"", map[string][]string{}},
		{"inline", map[string][]string{"script-src": {"'unsafe-inline'"}}},
		{"eval", map[string][]string{"script-src": {"'unsafe-eval'"}}},
		{"wasm", map[string][]string{"script-src": {"'wasm-unsafe-eval'"}}},
		{"blob", map[string][]string{"script-src": {"blob:"}, "worker-src": {"blob:"}, "frame-src": {"blob:"}}},
		{"inline, eval, wasm, blob", map[string][]string{
			"script-src": {"'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "blob:"}, "worker-src": {"blob:"}, "frame-src": {"blob:"},
		}},
	} {
		f := judge(t, "scripts: ["+c.scripts+"]")
		if diff := cmp.Diff(c.want, opened(t, f, firewall.Inner)); diff != "" {
			t.Errorf("[%s] (-want +got):\n%s", c.scripts, diff)
		}
		if more := opened(t, f, firewall.WorkerScript); len(more) > 0 {
			t.Errorf("[%s] opens %q to the worker, which runs no script but its own", c.scripts, more)
		}
	}
}

// The strings of the Connection-Allowlist, in URLPattern syntax.
func TestConnectionPatterns(t *testing.T) {
	for _, c := range []struct{ allow, want string }{
		{"https://h.example", "https://h.example/*"},
		{"https://h.example:443/**", "https://h.example/*"},
		{"https://h.example:8443", "https://h.example:8443/*"},
		{"https://h.example:*", "https://h.example:*/*"},
		{"http://h.example:443", "http://h.example:443/*"},
		{"wss://h.example/live/**", "https://h.example/live/*"},
		{"https://*.h.example", "https://*.h.example/*"},
		{"https://api-*.h.example", "https://api-*.h.example/*"},
		{"https://*.a-*b.h.example", "https://*.a-*b.h.example/*"},
		{"https://a_b.h.example", "https://a_b.h.example/*"},
		{"https://bücher.example", "https://xn--bcher-kva.example/*"},
		{"https://h.example/", "https://h.example/"},
		{"https://h.example/p", "https://h.example/p"},
		{"https://h.example/p/", "https://h.example/p/"},
		{"https://h.example/p/*/x.js", "https://h.example/p/*/x.js"},
		{"https://h.example/a/**/b", "https://h.example/a/*/b"},
		{"https://h.example/p*q", "https://h.example/p*q"},
		{"https://h.example//a", "https://h.example//a"},
		{"https://h.example/café", "https://h.example/caf%C3%A9"},
		{"https://h.example/a:b+c(d)", `https://h.example/a\:b\+c\(d\)`},
		{"https://h.example/%2A", `https://h.example/\*`},
		{"https://h.example/%2A*%2B", `https://h.example/\**\+`},
		{"'https://h.example/%22%3F%7B%7D'", "https://h.example/%22%3F%7B%7D"},
		// Browsers send these as a page writes them, raw or encoded, and
		// URLPattern decodes nothing.
		{"'https://h.example/a/x%5B1%5D/b'", "https://h.example/a/*/b"},
		{"'https://h.example/x%5B*%5D'", "https://h.example/*"},
		{"'https://h.example/^|'", "https://h.example/*"},
	} {
		f := judge(t, "rules: [{allow: "+c.allow+"}]")
		self, got := connections(t, f.Headers(firewall.Inner, site))
		if !self || !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: own origin %v, and %q, want %q", c.allow, self, got, c.want)
			continue
		}
		if _, err := browsermodel.ParsePattern(c.want); err != nil {
			t.Error(err)
		}
	}
}

const richPolicy = `scripts: [inline, wasm, blob]
rules:
  - id: api
    allow: https://api.example.com/v1/**
    methods: [GET, POST]
    reason: the product's own API
  - id: cdn
    allow: ["https://*.cdn.example.com", https://esm.example, "https://{a,b}-*.example.net/lib;1/*.js"]
    types: [script, style, font]
  - id: pictures
    allow: ["http://localhost:*/pictures/**", https://bücher.example/café]
    types: [image, media]
  - id: corp
    block: ["https://*.corp.example", https://corp.example]
    except: [https://status.corp.example]
  - id: live
    allow: wss://live.example.com
  - id: embed
    allow: https://embed.example/player/**
    types: [frame]
`

var classNames = map[firewall.Class]string{
	firewall.Refusal: "refusal", firewall.Inner: "inner", firewall.Boot: "boot",
	firewall.WorkerScript: "worker-script", firewall.Outer: "outer", firewall.HostPage: "host-page",
	firewall.SelfTest: "self-test", firewall.Notice: "notice", firewall.Isolated: "isolated",
}

// The whole header set of each class, in a form for people to read.
func TestHeaderSets(t *testing.T) {
	const folder = "testdata/headers"
	known := map[string]bool{}
	granted := site
	granted.Grants = firewall.Grantable()
	for name, set := range map[string]struct {
		firewall *firewall.Firewall
		site     firewall.Site
	}{
		"zero":    {&firewall.Firewall{}, site},
		"rich":    {judge(t, richPolicy), site},
		"granted": {judge(t, richPolicy), granted},
	} {
		for _, class := range firewall.Classes {
			if classNames[class] == "" {
				t.Fatalf("class %d has no name here", class)
			}
			name := filepath.Join(folder, name+"-"+classNames[class]+".txt")
			known[name] = true
			var b strings.Builder
			header := set.firewall.Headers(class, set.site)
			for _, key := range slices.Sorted(maps.Keys(header)) {
				for _, value := range header[key] {
					// One line for each directive; a value itself has no line break.
					b.WriteString(key + ": " + strings.ReplaceAll(value, "; ", ";\n  ") + "\n")
				}
			}
			if *update {
				if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Errorf("%v; run: go test ./firewall -update", err)
			} else if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s differs from the sent headers (-want +got):\n%s", name, diff)
			}
		}
	}
	there, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range there {
		if name := filepath.Join(folder, entry.Name()); !known[name] {
			t.Errorf("%s is the header set of nothing", name)
		}
	}
}
