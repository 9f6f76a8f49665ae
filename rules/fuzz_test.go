package rules_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobwas/glob"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/program"
)

// Parse never panics, every error has a position inside the file, and equal policies give
// equal programs.
func FuzzParse(f *testing.F) {
	f.Add(rules.Default)
	for _, pattern := range []string{"testdata/ok/*.yaml", "testdata/err/*.yaml"} {
		for _, name := range files(f, pattern) {
			f.Add(read(f, name))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		policy, err := rules.Parse("policy.yaml", src)
		if err != nil {
			checkErrors(t, src, err)
			if policy != nil {
				t.Fatal("both a policy and an error")
			}
			return
		}
		again, err := rules.Parse("policy.yaml", src)
		if err != nil {
			t.Fatalf("the second time refused: %v", err)
		}
		first, second := programOf(t, policy), programOf(t, again)
		if first != second {
			t.Error("two programs of the same policy")
		}
	})
}

func checkErrors(t *testing.T, src []byte, err error) {
	t.Helper()
	var all rules.Errors
	if !errors.As(err, &all) || len(all) == 0 || len(all.Unwrap()) != len(all) {
		t.Fatalf("got %T %v, want rules.Errors", err, err)
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(src), "\ufffd"), "\ufeff")
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	line, col := 0, 0
	for _, e := range all {
		if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Msg == "" {
			t.Fatalf("%v is not inside the file", e)
		}
		if len(src) <= 8<<20 && e.Col > utf8.RuneCountInString(strings.TrimPrefix(lines[e.Line-1], "\ufeff"))+1 {
			t.Fatalf("%v is not inside the line %q", e, lines[e.Line-1])
		}
		if e.Line < line || e.Line == line && e.Col < col {
			t.Fatalf("the errors are not sorted:\n%v", all)
		}
		line, col = e.Line, e.Col
	}
	if !utf8.ValidString(all.Pretty()) {
		t.Fatalf("the errors are no valid text: %q", all.Pretty())
	}
}

// programOf returns the policy's program after encoding and opening it.
func programOf(t *testing.T, p *rules.Policy) string {
	t.Helper()
	back, err := program.Open(p.Program().Bytes())
	if err != nil {
		t.Fatalf("the program cannot be opened: %v", err)
	}
	return string(back.Bytes())
}

// Our matching and gobwas/glob's must agree on every pattern that both support. gobwas gets
// only hosts and paths, with braces expanded, because its braces have a known bug. Our "*."
// becomes "**." for gobwas, since its single star stays inside a label.
func FuzzTargetAgreesWithGlob(f *testing.F) {
	f.Add([]byte("a.b"))
	f.Fuzz(func(t *testing.T, seed []byte) { compare(t, seed) })
}

// The same comparison on 30,000 drawn pairs, in every run of the tests.
func TestTargetAgreesWithGlob(t *testing.T) {
	t.Parallel()
	const draws = 30_000
	random := rand.New(rand.NewPCG(1, 2))
	accepted, matched := 0, 0
	for range draws {
		seed := make([]byte, 48)
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		ok, match := compare(t, seed)
		if ok {
			accepted++
		}
		if match {
			matched++
		}
	}
	if accepted < draws/10 || matched < draws/100 {
		t.Errorf("of %d pairs %d were legal and %d matched; the draw has become too thin to prove anything", draws, accepted, matched)
	}
}

// compare draws a pattern and a URL and compares both matchers. ok is false if Parse rejects
// the pattern, for instance for a second star in a label.
func compare(t *testing.T, seed []byte) (ok, match bool) {
	d := &drawer{seed}
	hosts, paths := d.alternatives(d.hostPattern), d.alternatives(d.pathPattern)
	source := "https://" + braces(hosts) + ".a.b" + "/" + braces(paths)
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\nrules: [{allow: '"+source+"'}]\n"))
	if err != nil {
		return false, false
	}
	host, path := d.host(), "/"+d.path()
	want := false
	for _, h := range hosts {
		for _, p := range paths {
			want = want || globHost(h+".a.b").Match(host) && glob.MustCompile("/"+p, '/').Match(path)
		}
	}
	got := policy.Program().Decide(rules.Request{Method: "GET", URL: "https://" + host + path, Type: rules.TypeFetch}).Action == rules.Allow
	if got != want {
		t.Errorf("%s on https://%s%s: got %v, gobwas/glob says %v", source, host, path, got, want)
	}
	return true, got
}

func globHost(pattern string) *glob.Pattern {
	if strings.HasPrefix(pattern, "*.") {
		pattern = "*" + pattern
	}
	return glob.MustCompile(pattern, '.')
}

func braces(alternatives []string) string {
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return "{" + strings.Join(alternatives, ",") + "}"
}

// A drawer makes patterns and texts from the fuzzer's bytes. Its alphabet is so small that
// they often match.
type drawer struct{ seed []byte }

func (d *drawer) next(n int) int {
	if len(d.seed) == 0 {
		return 0
	}
	b := d.seed[0]
	d.seed = d.seed[1:]
	return int(b) % n
}

func (d *drawer) alternatives(one func() string) []string {
	all := []string{one()}
	for range max(0, d.next(5)-2) {
		all = append(all, one())
	}
	return all
}

func (d *drawer) join(separator string, least, most int, words ...string) string {
	parts := make([]string, least+d.next(most-least+1))
	for i := range parts {
		parts[i] = words[d.next(len(words))]
	}
	return strings.Join(parts, separator)
}

func (d *drawer) hostPattern() string {
	return d.join(".", 1, 3, "a", "*", "b", "a*", "*b", "a*b", "ab", "a*a", "**")
}

func (d *drawer) pathPattern() string {
	return d.join("/", 1, 6, "**", "a", "*", "b", "a*", "*b", "a*b", "", "ab", "a*a")
}

func (d *drawer) host() string {
	return d.join(".", 1, 4, "a", "b", "ab", "aab", "ba") + ".a.b"[4*(d.next(8)/7):]
}

func (d *drawer) path() string { return d.join("/", 1, 9, "a", "b", "", "ab", "aab", "ba", "aba") }
