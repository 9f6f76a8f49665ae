package firewall_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/browsermodel"
	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/rules"
)

// policyHeaders are in every set, except in tests without defenses.
var policyHeaders = []string{
	"Connection-Allowlist", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
	"Permissions-Policy", "X-Dns-Prefetch-Control",
}

// plainHeaders are in every set. All of them except Cache-Control are defenses, too.
var plainHeaders = []string{"Cache-Control", "Origin-Agent-Cluster", "Referrer-Policy", "X-Content-Type-Options"}

// eachSet runs a check on the header set of every class, for policies from none to one that
// opens everything possible.
func eachSet(t *testing.T, check func(t *testing.T, f *firewall.Firewall, c firewall.Class, header http.Header)) {
	t.Helper()
	if len(firewall.Classes) < 8 || len(classNames) != len(firewall.Classes) {
		t.Fatalf("there are %d classes, and %d names here", len(firewall.Classes), len(classNames))
	}
	for name, f := range map[string]*firewall.Firewall{
		"nil firewall": nil, "zero firewall": {}, "nil policy": firewall.New(nil), "zero policy": firewall.New(&rules.Policy{}),
		"rich policy": judge(t, richPolicy),
		"open policy": judge(t, "scripts: [inline, eval, wasm, blob]\nrules: [{allow: 'https://*.example.com:*'}, {allow: 'wss://*.example.com:*'}, {allow: https://example.com, types: [frame]}]"),
	} {
		for _, class := range firewall.Classes {
			t.Run(name+"/"+classNames[class], func(t *testing.T) { check(t, f, class, f.Headers(class, site)) })
		}
	}
}

func TestSetIsComplete(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *firewall.Firewall, class firewall.Class, header http.Header) {
		want := slices.Sorted(slices.Values(slices.Concat(policyHeaders, plainHeaders)))
		if class == firewall.Outer || class == firewall.Isolated {
			want = slices.DeleteFunc(want, func(name string) bool { return name == "Origin-Agent-Cluster" })
		}
		if got := slices.Sorted(maps.Keys(header)); !slices.Equal(got, want) {
			t.Errorf("the set is %q, want %q", got, want)
		}
		for name, values := range header {
			if len(values) != 1 || strings.TrimSpace(values[0]) == "" {
				t.Errorf("%s is %q, want one value", name, values)
			}
		}
	})
}

// Some parts are never sent, whatever the policy opens.
func TestSetNeverHolds(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *firewall.Firewall, c firewall.Class, header http.Header) {
		connections(t, header) // fails for a second list and for a parameter that opens anything
		reports := []string{"report-uri", "report-to"}
		if c == firewall.Inner {
			if got := directives(t, header)["report-uri"]; !slices.Equal(got, []string{site.Reports}) {
				t.Errorf("reports go to %q", got)
			}
			reports = nil
		}
		if strings.Contains(header.Get("Content-Security-Policy"), "report-to") {
			t.Error("a report-to turns report-uri off in Chromium and Firefox")
		}
		for name, values := range header {
			for _, bad := range append(reports, "redirects", "webrtc=allow", "strict-dynamic", "unsafe-hashes", "unsafe-allow-redirects", "allow-popups", "allow-top-navigation", "allow-downloads", "allow-modals") {
				if strings.Contains(strings.ToLower(values[0]), bad) {
					t.Errorf("%s holds %s: %q", name, bad, values[0])
				}
			}
		}
		all := directives(t, header)
		if len(all["default-src"]) != 1 {
			t.Errorf("default-src is %q", all["default-src"])
		}
		for _, wide := range []string{"*", "http:", "https:", "ws:", "wss:", "http://*", "https://*"} {
			for name, sources := range all {
				if slices.Contains(sources, wide) {
					t.Errorf("%s holds %s", name, wide)
				}
			}
		}
		// The same holds for the directives that browsers without worker-src fall back to.
		for _, name := range []string{"worker-src", "child-src", "script-src", "default-src", "frame-src", "object-src"} {
			if slices.Contains(all[name], "data:") {
				t.Errorf("%s holds data: in %q", name, all[name])
			}
		}
		if sources, ok := all["worker-src"]; c == firewall.Inner && !ok {
			t.Errorf("a document has no worker-src, but %q", sources)
		}
	})
}

// The zero class and missing policies allow nothing.
func TestZeroRefuses(t *testing.T) {
	for name, f := range map[string]*firewall.Firewall{"nil": nil, "zero": {}, "rich": judge(t, richPolicy)} {
		for what, s := range map[string]firewall.Site{"zero": {}, "a": site} {
			header := f.Headers(0, s)
			if self, patterns := connections(t, header); self || len(patterns) > 0 {
				t.Errorf("%s firewall, %s site: the zero class may connect: %q", name, what, header.Get("Connection-Allowlist"))
			}
			all := directives(t, header)
			for _, directive := range []string{"default-src", "base-uri", "form-action", "frame-ancestors"} {
				if !slices.Equal(all[directive], []string{"'none'"}) {
					t.Errorf("%s firewall, %s site: %s of the zero class is %q", name, what, directive, all[directive])
				}
			}
			if flags, ok := all["sandbox"]; !ok || len(flags) > 0 {
				t.Errorf("%s firewall, %s site: the sandbox of the zero class is %q, %v", name, what, flags, ok)
			}
			if len(all) != 5 {
				t.Errorf("%s firewall, %s site: the zero class has more than these: %q", name, what, all)
			}
		}
	}
	// Without a policy, a document has its own origin, URLs that it makes itself, and the client
	// script.
	own := []string{"'self'", "'sha256-client'", "'none'", "'unsafe-inline'", "data:", "blob:"}
	for name, f := range map[string]*firewall.Firewall{"nil": nil, "zero": {}, "nil policy": firewall.New(nil)} {
		for _, class := range []firewall.Class{firewall.Inner, firewall.WorkerScript} {
			header := f.Headers(class, site)
			if self, patterns := connections(t, header); !self || len(patterns) > 0 {
				t.Errorf("%s, %s: may connect by %q", name, classNames[class], header.Get("Connection-Allowlist"))
			}
			for directive, sources := range directives(t, header) {
				if directive == "frame-ancestors" || directive == "sandbox" || directive == "report-uri" {
					continue
				}
				for _, source := range sources {
					if !slices.Contains(own, source) {
						t.Errorf("%s, %s: %s holds %s", name, classNames[class], directive, source)
					}
				}
			}
		}
		if got := directives(t, f.Headers(firewall.Inner, site))["script-src"]; !slices.Equal(got, []string{"'self'", "'sha256-client'"}) {
			t.Errorf("%s: script-src is %q", name, got)
		}
	}
}

// An unknown class gets the strictest headers, so that a new class that is forgotten here
// blocks everything.
func TestUnknownClassRefuses(t *testing.T) {
	header := judge(t, richPolicy).Headers(200, site)
	if got, want := header, (*firewall.Firewall)(nil).Headers(firewall.Refusal, site); !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("an unknown class gets %q", got)
	}
}

// No text in a policy can end a header, a directive, or a list. A text that Parse accepts
// looks like an ordinary pattern in the headers.
func TestHostileTextStaysInside(t *testing.T) {
	inserts := []string{
		"\n", "\r\n", "\r\nX-Evil: 1", "\x00", "\t", "\v", "\u0085", "\u2028", ";", "; script-src *", ",", ", script-src *", " *", "'unsafe-inline'",
		`"`, `")`, `\`, `\"`, `);redirects=allow`, "(", "*", "data:", "%0A", "%0D%0AX-Evil:%201", "%22", "%3B%20script-src%20*", "%00", "\u00a0", "\uff0a", "é",
	}
	accepted := 0
	for _, insert := range inserts {
		for _, pattern := range []string{"https://example.com/a" + insert + "b", "https://a" + insert + "b.example.com", "https://example.com:80" + insert, insert + "https://example.com", "https://example.com" + insert} {
			text := "version: 1\nrules:\n  - allow: " + quote(pattern) + "\n    reason: " + quote(insert) + "\n"
			policy, err := rules.Parse("evil"+insert+".yaml", []byte(text))
			if err != nil {
				continue
			}
			accepted++
			f := firewall.New(policy)
			for _, class := range firewall.Classes {
				header := f.Headers(class, site)
				for name, values := range header {
					if strings.ContainsFunc(values[0], func(r rune) bool { return r < ' ' || r > '~' }) {
						t.Errorf("%q, class %s: %s contains characters that a header must not: %q", pattern, classNames[class], name, values[0])
					}
				}
				if self, patterns := connections(t, header); class == firewall.Inner && (!self || len(patterns) != 1) {
					t.Errorf("%q makes %d patterns: %q", pattern, len(patterns), patterns)
				}
				for directive, sources := range opened(t, f, class) {
					if len(sources) != 1 {
						t.Errorf("%q makes %d sources of %s: %q", pattern, len(sources), directive, sources)
					} else if _, err := browsermodel.ParseSource(sources[0]); err != nil {
						t.Errorf("%q in %s: %v", pattern, directive, err)
					}
				}
			}
		}
	}
	if accepted < 10 {
		t.Errorf("only %d of the patterns are accepted, so little was looked at", accepted)
	}
}

// quote writes a YAML string in double quotes, which can contain any character.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\0`, "\t", `\t`, "\v", `\v`, "\u0085", `\N`, "\u2028", `\L`).Replace(text) + `"`
}

// Each defense that is a header can be removed alone, and only that header is then missing.
func TestDefensesAreTakenAwayOneByOne(t *testing.T) {
	headers := func(class firewall.Class, d firewall.Defenses) http.Header {
		s := site
		s.Defenses = d
		return judge(t, richPolicy).Headers(class, s)
	}
	for _, class := range firewall.Classes {
		if got := slices.Sorted(maps.Keys(headers(class, firewalltest.NoDefenses("this test looks at what is left")))); !slices.Equal(got, []string{"Cache-Control"}) {
			t.Errorf("%s: without defenses the set is %q", classNames[class], got)
		}
		whole := headers(class, firewall.Defenses{})
		for _, d := range firewall.AllDefenses() {
			want, got := whole.Clone(), headers(class, firewalltest.Without(d))
			want.Del(d.String())
			if d == firewall.Sandbox && class != firewall.Refusal {
				csp := want.Get("Content-Security-Policy")
				before, _, _ := strings.Cut(csp, "; sandbox")
				want.Set("Content-Security-Policy", before)
			}
			if d.String() == "frame-src" && class == firewall.Outer {
				want.Set("Content-Security-Policy", strings.Replace(want.Get("Content-Security-Policy"), "frame-src "+site.Inner, "frame-src * data: blob:", 1))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s without %s (-want +got):\n%s", classNames[class], d, diff)
			}
		}
	}
}

// The outer's iframe attribute and the documents' own directive have the same flags.
func TestSandboxFlags(t *testing.T) {
	want := strings.Fields(firewall.Grants{}.Sandbox())
	if !slices.Equal(want, []string{"allow-scripts", "allow-same-origin", "allow-forms"}) {
		t.Errorf("the flags are %q", want)
	}
	for _, class := range []firewall.Class{firewall.Inner, firewall.Boot} {
		if got := directives(t, judge(t, richPolicy).Headers(class, site))["sandbox"]; !slices.Equal(got, want) {
			t.Errorf("%s: the directive has %q, want %q", classNames[class], got, want)
		}
	}
}

// The frame ancestors and the frame sources are the same for every policy.
func TestFrames(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *firewall.Firewall, c firewall.Class, header http.Header) {
		inner := append([]string{"'self'", site.Outer}, site.Embedders...)
		ancestors := map[firewall.Class][]string{
			firewall.Refusal: {"'none'"}, firewall.HostPage: {"'none'"}, firewall.SelfTest: {"'none'"}, firewall.Outer: site.Embedders, firewall.Notice: site.Embedders,
			firewall.Isolated: append([]string{site.Outer}, site.Embedders...),
			firewall.Inner:    inner, firewall.Boot: inner,
			firewall.WorkerScript: nil, // not a document
		}
		all := directives(t, header)
		if got := all["frame-ancestors"]; !slices.Equal(got, ancestors[c]) {
			t.Errorf("frame-ancestors is %q, want %q", got, ancestors[c])
		}
		frames := map[firewall.Class][]string{firewall.Outer: {site.Inner}, firewall.HostPage: {site.Outer}, firewall.SelfTest: append([]string{site.Outer}, site.Controls...)}
		if want, ok := frames[c]; ok && !slices.Equal(all["frame-src"], want) {
			t.Errorf("frame-src is %q, want %q", all["frame-src"], want)
		}
	})
}
