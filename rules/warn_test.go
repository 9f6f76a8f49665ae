package rules_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/rule"
)

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, rules string
		want        []string // the ids of the rules with a warning, each with the id that the warning names
	}{
		{"nothing twice", "a: {allow: https://a.example.com}, b: {allow: https://b.example.com}", nil},
		{"the same", "a: {allow: https://a.example.com}, b: {allow: https://a.example.com}", []string{"b a"}},
		{"the same with stars", "a: {allow: 'https://a.example.com/*/x*.js'}, b: {allow: 'https://a.example.com/*/x*.js'}", []string{"b a"}},
		{"below a host", "a: {allow: 'https://*.example.com'}, b: {allow: https://x.b.example.com/p}", []string{"b a"}},
		{"a star in a label", "a: {allow: 'https://*.example.com'}, b: {allow: 'https://api-*.example.com/p'}", []string{"b a"}},
		{"not the host itself", "a: {allow: 'https://*.example.com'}, b: {allow: https://example.com}", nil},
		{"below a directory", "a: {allow: 'https://a.example.com/v1/**'}, b: {allow: ['https://a.example.com/v1/x/*.js', https://a.example.com/v1/]}", []string{"b a"}},
		{"not the directory's name", "a: {allow: 'https://a.example.com/v1/**'}, b: {allow: https://a.example.com/v1}", nil},
		{"not the root alone", "a: {allow: https://a.example.com/}, b: {allow: https://a.example.com/x}", nil},
		{"any port", "a: {allow: 'https://a.example.com:*'}, b: {allow: https://a.example.com:8443}", []string{"b a"}},
		{"another port", "a: {allow: https://a.example.com}, b: {allow: 'https://a.example.com:*'}", nil},
		{"another scheme", "a: {allow: [http://a.example.com]}, b: {allow: https://a.example.com}", nil},
		{"the later is wider", "a: {allow: https://a.example.com/v1}, b: {allow: https://a.example.com}", nil},
		{"fewer methods", "a: {allow: https://a.example.com}, b: {methods: [GET], allow: https://a.example.com}", []string{"b a"}},
		{"more methods", "a: {methods: [GET, POST], allow: https://a.example.com}, b: {methods: [GET, PUT], allow: https://a.example.com}", nil},
		{"fewer types", "a: {types: [image, font], allow: https://a.example.com}, b: {types: [font], allow: https://a.example.com}", []string{"b a"}},
		{"frame is none of the usual types", "a: {allow: https://a.example.com}, b: {types: [frame, font], allow: https://a.example.com}", nil},
		{"by two together", "a: {allow: https://a.example.com}, b: {allow: https://b.example.com}, c: {allow: ['https://{a,b}.example.com/x']}", []string{"c a"}},
		{"one of two", "a: {allow: https://a.example.com}, b: {allow: [https://a.example.com/x, https://b.example.com]}", nil},
		{"an internationalized label", "a: {allow: 'https://*.example.com'}, b: {allow: https://bücher.example.com}, c: {allow: https://x.example.com}", []string{"c a"}},
		{"blocks", "a: {block: 'https://*.example.com'}, b: {block: https://b.example.com, except: [https://b.example.com/x]}", []string{"b a"}},
		{"blocks with exceptions", "a: {block: 'https://*.example.com', except: [https://c.example.com]}, b: {block: https://b.example.com}", nil},
		{"allow and block", "a: {allow: https://b.example.com/x}, b: {block: 'https://*.example.com'}", []string{"a b"}},
		{"block for some methods", "a: {allow: https://b.example.com/x}, b: {methods: [GET], block: 'https://*.example.com'}", nil},
		{"block for those methods", "a: {methods: [GET], allow: https://b.example.com/x}, b: {methods: [GET, POST], block: 'https://*.example.com'}", []string{"a b"}},
		{"block for the types", "a: {types: [image], allow: https://b.example.com/x}, b: {types: [image], block: 'https://*.example.com'}", []string{"a b"}},
		{"block with an exception", "a: {allow: https://b.example.com/x}, b: {block: 'https://*.example.com', except: [https://z.example.com]}", nil},
		{"block of a part", "a: {allow: https://b.example.com}, b: {block: https://b.example.com/x}", nil},
		{"block of one pattern", "a: {allow: [https://b.example.com, https://c.example.com]}, b: {block: https://b.example.com}", nil},
		{"an allow does not cover a block", "a: {allow: https://b.example.com}, b: {block: https://b.example.com/x}", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "version: 1\nrules:\n"
			for _, rule := range strings.Split(c.rules, "}, ") {
				id, keys, _ := strings.Cut(rule, ": {")
				text += "  - {id: " + id + ", " + strings.TrimSuffix(keys, "}") + "}\n"
			}
			policy, err := rules.Parse("p.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			warnings := policy.Warnings()
			if len(warnings) != len(c.want) {
				t.Fatalf("warnings %v, want %q", warnings, c.want)
			}
			for i, w := range warnings {
				id, by, _ := strings.Cut(c.want[i], " ")
				line := strings.Count(text[:strings.Index(text, "{id: "+id)], "\n") + 1
				if w.File != "p.yaml" || w.Line != line || w.Col != 5 || w.Hint == "" || !strings.Contains(w.Msg, "the rule "+id+" can never") || !strings.Contains(w.Msg, by+" (p.yaml:") {
					t.Errorf("%+v, want one at line %d", w, line)
				}
				w.Quote([]byte("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")))
				if !strings.Contains(w.Source, "id: "+id) || strings.ContainsAny(w.Source, "\r\n") {
					t.Errorf("quotes %q", w.Source)
				}
			}
		})
	}
	if got := (*rules.Policy)(nil).Warnings(); got != nil {
		t.Errorf("no policy has the warnings %v", got)
	}
}

// An included file gets no warning about files that include it, because it cannot know them.
func TestWarningsAndLayers(t *testing.T) {
	shared := "version: 1\nrules:\n  - {id: s, allow: https://a.example.com}\n  - {id: s2, allow: https://a.example.com/x}\n  - {id: sb, block: https://b.example.com}\n"
	bound := "version: 1\nceiling: true\nrules:\n  - {id: c, allow: ['https://*.example.com']}\n  - {id: c2, allow: ['https://a.example.com']}\n"
	own := "version: 1\ninclude: [shared.yaml, bound.yaml]\nrules:\n  - {id: o, allow: https://a.example.com}\n  - {id: o2, allow: https://b.example.com}\n  - {id: ob, block: https://a.example.com/x}\n"
	policy, err := rules.Load("own.yaml", inMemory("own.yaml", own, "shared.yaml", shared, "bound.yaml", bound))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range policy.Warnings() {
		got = append(got, w.Error())
	}
	want := []string{
		"own.yaml:5:5: the rule o2 can never allow anything: the rule sb (shared.yaml:5) blocks all of it",
		"shared.yaml:4:5: the rule s2 can never decide: before it, the rule s (shared.yaml:3) covers all of it",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// inMemory returns an opener of files in memory. The pairs are name, text, name, text.
func inMemory(pairs ...string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return []byte(pairs[i+1]), nil
			}
		}
		return nil, fs.ErrNotExist
	}
}

// No warning is false: a rule with a warning never decides any of the requests tried.
func TestNoWarningIsFalse(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	one := func(all ...string) string { return all[random.IntN(len(all))] }
	hosts := []string{"example.com", "*.example.com", "*.example.com", "*.example.com", "a.example.com", "*.a.example.com", "api-*.example.com", "*-x.a.example.com", "a_b.example.com", "xn--bcher-kva.example.com", "*.xn--bcher-kva.example.com", "a.*.example.com"}
	paths := []string{"", "", "", "", "/**", "/a/**", "/", "/**", "/a", "/a/", "/a/*", "/a/**", "/a/b", "/*/b", "/**/b", "/a*", "//a", "/%5B", "/*"}
	var urls []string
	for _, host := range []string{"example.com", "a.example.com", "b.a.example.com", "api-1.example.com", "q-x.a.example.com", "a_b.example.com", "xn--bcher-kva.example.com", "z.xn--bcher-kva.example.com", "a.xn--bcher-kva.example.com", "a.y.example.com"} {
		for _, path := range []string{"/", "/a", "/a/", "/a/b", "/a/b/c", "//a", "/[", "/c/b", "/b", "/ax"} {
			urls = append(urls, "https://"+host+path, "https://"+host+":8443"+path, "http://"+host+path)
		}
	}
	for i, url := range urls {
		var err error
		if urls[i], err = rule.CanonicalURL(url); err != nil {
			t.Fatal(err)
		}
	}
	policies, warned := 0, 0
	for range 1_000 {
		text := "version: 1\nrules:\n"
		for range 5 + random.IntN(4) {
			action, except := "allow", ""
			if random.IntN(3) == 0 {
				action = "block"
				except = one("", "", ", except: 'https://a.example.com/a/**'")
			}
			pattern := func() string {
				return "'" + one("https", "https", "https", "http") + "://" + one(hosts...) + one("", "", ":*", ":8443") + one(paths...) + "'"
			}
			patterns := pattern()
			if random.IntN(3) == 0 {
				patterns = "[" + patterns + ", " + pattern() + "]"
			}
			text += fmt.Sprintf("  - {%s: %s%s%s%s}\n", action, patterns, one("", "", "", ", methods: [GET]", ", methods: [GET, POST]"), one("", "", "", ", types: [image]", ", types: [image, fetch]"), except)
		}
		policy, err := rules.Parse("p.yaml", []byte(text))
		if err != nil {
			continue
		}
		policies++
		never := map[int]bool{}
		for _, w := range policy.Warnings() {
			never[w.Line] = true
		}
		if len(never) == 0 {
			continue
		}
		warned++
		for _, url := range urls {
			for _, method := range []string{"GET", "PUT"} {
				for _, kind := range []rules.Type{rules.TypeImage, rules.TypeScript} {
					if v := policy.Program().Decide(rules.Request{Method: method, URL: url, Type: kind}); never[v.Line] {
						t.Fatalf("%s decides %s %s %s, and is said never to:\n%s%v", v.Rule, method, kind, url, text, policy.Warnings())
					}
				}
			}
		}
	}
	if policies < 800 || warned < 100 {
		t.Errorf("%d policies with %d warnings are too few to show anything", policies, warned)
	}
}

// BenchmarkWarnings reports how many times as long ten times as many rules take. Linear time
// gives 10.
func BenchmarkWarnings(b *testing.B) {
	policy := func(n int) *rules.Policy {
		var text strings.Builder
		text.WriteString("version: 1\nrules:\n")
		for i := range n {
			fmt.Fprintf(&text, "- allow: https://h%d.example.com/p%d\n", i%7, i)
		}
		p, err := rules.Parse("p.yaml", []byte(text.String()))
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	few, many := policy(10_000), policy(100_000)
	var small time.Duration
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		few.Warnings()
		small += time.Since(start)
		b.StartTimer()
		many.Warnings()
	}
	b.ReportMetric(float64(b.Elapsed())/float64(small), "x")
}
