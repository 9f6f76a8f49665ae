package firewall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/browsermodel"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/rule"
)

// The invariant between the program that decides and the headers: what the program allows, the
// headers allow, too. The tests draw policies, then URLs from the policies' own patterns. A
// model of the browser reads the headers.

// dice turns bytes into choices, so that a fuzzer can steer them. When the bytes are used up,
// every choice is the first one.
type dice struct{ bytes []byte }

func (d *dice) n(below int) int {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return int(b) % below
}

func pick[T any](d *dice, all ...T) T { return all[d.n(len(all))] }

var (
	patternHosts = []string{
		"example.com", "*.example.com", "**.example.com", "api-*.example.com", "*-api.example.com", "a.*.example.com", "*.a-*b.example.com",
		"a_b.example.com", "*.a_b.example.com", "_x.a_b.c.example.com", "{a,b.c}.example.com", "localhost", "127.0.0.1", "10.0.0.7",
		"bücher.example", "*.xn--bcher-kva.example", "EXAMPLE.org", "*.b.example.org",
	}
	exactHosts      = []string{"example.com", "*.example.com", "localhost", "127.0.0.1", "bücher.example"}
	patternSegments = []string{
		"a", "*", "**", "b*", "*.js", "p*q", "", "V1", "v1{,beta}", "{x,y}", "x;y,z", "caf%c3%a9", "café", "a%20b", "@scope", "a:b+c(d)!$&'=~",
		"%2A", "%2a*%2A", "%7B%7D", "%5B1%5D", "^|`", "x%5B*%5D", "%22%3C%3E", "...", "%61",
	}
	patternPorts  = []string{"", "", ":*", ":8080", ":443", ":80"}
	patternTypes  = []rules.Type{rules.TypeFetch, rules.TypeScript, rules.TypeStyle, rules.TypeImage, rules.TypeFont, rules.TypeMedia, rules.TypeWorker}
	foreignURLs   = []string{"https://example.net/", "http://192.0.2.1/x", "https://xexample.com/", "https://example.com.evil.test/a", "wss://example.net/"}
	starFillings  = []string{"", "1", "x-y", "9z"}
	aboveFillings = []string{"w", "w.w", "a_b", "api-1"}
	anyFillings   = []string{"", "s", "s/t", "s//t", "s/"}
)

// drawPattern draws a pattern. If exact is set, CSP alone can express it.
func drawPattern(d *dice, exact bool, schemes ...string) string {
	if exact {
		return pick(d, schemes...) + "://" + pick(d, exactHosts...) + pick(d, patternPorts...) + pick(d, "", "/**", "/a/b", "/a/**", "/x;y,z", "/@scope/**")
	}
	path := ""
	for range d.n(4) {
		path += "/" + pick(d, patternSegments...)
	}
	return pick(d, schemes...) + "://" + pick(d, patternHosts...) + pick(d, patternPorts...) + path
}

func drawPolicy(d *dice) string {
	var b strings.Builder
	fmt.Fprintln(&b, "version: 1\nrules:")
	for range 1 + d.n(3) {
		switch d.n(9) {
		case 0:
			fmt.Fprintf(&b, "  - {types: [frame], allow: %s}\n", quote(drawPattern(d, true, "https", "http")))
		case 1:
			fmt.Fprintf(&b, "  - {allow: %s}\n", quote(drawPattern(d, true, "wss", "ws")))
		case 2:
			fmt.Fprintf(&b, "  - {types: [fetch], block: %s, except: %s}\n", quote(drawPattern(d, false, "https", "http")), quote(drawPattern(d, false, "https", "http")))
		case 3:
			fmt.Fprintf(&b, "  - {types: [%s, %s], allow: %s}\n", pick(d, patternTypes[:3]...), pick(d, patternTypes[3:]...), quote(drawPattern(d, false, "https", "http")))
		case 4, 5:
			fmt.Fprintf(&b, "  - {types: [%s], allow: %s}\n", pick(d, patternTypes...), quote(drawPattern(d, false, "https", "http")))
		case 6:
			fmt.Fprintf(&b, "  - {methods: [GET], allow: [%s, %s]}\n", quote(drawPattern(d, false, "https")), quote(drawPattern(d, false, "http")))
		default:
			fmt.Fprintf(&b, "  - {allow: %s}\n", quote(drawPattern(d, false, "https", "http")))
		}
	}
	return b.String()
}

// drawURL draws a URL that a page could write to match the target. It fills in each star, and
// may write characters raw that a page may leave raw.
func drawURL(d *dice, t *rules.Target) string {
	labels := []string{}
	if t.Host.Sub {
		labels = append(labels, pick(d, aboveFillings...))
	}
	for _, label := range t.Host.Labels {
		labels = append(labels, drawPart(d, label))
	}
	port := ""
	switch {
	case t.Port == 0:
		port = pick(d, "", ":8080", ":1", ":65535")
	case d.n(4) > 0 || t.Port != rule.DefaultPort(t.Scheme):
		port = ":" + strconv.Itoa(t.Port)
	}
	path := ""
	for _, segment := range t.Path {
		if segment.Any {
			path += "/" + pick(d, anyFillings...)
		} else {
			path += "/" + drawPart(d, segment.Part)
		}
	}
	if t.Path == nil {
		path = pick(d, "", "/", "/any/where", "/é[1]")
	}
	raw := strings.NewReplacer("%5B", "[", "%5D", "]", "%5E", "^", "%7C", "|", "%60", "`", "%C3%A9", "é", "%7B", "{", "%7D", "}", "%20", " ").Replace(path)
	return t.Scheme + "://" + strings.Join(labels, ".") + port + pick(d, path, raw) + pick(d, "", "?q=1", "?a/b#f")
}

func drawPart(d *dice, p rules.Part) string {
	if !p.Star {
		return p.Prefix
	}
	return p.Prefix + pick(d, starFillings...) + p.Suffix
}

// encode writes some letters of the path in needless percent-encodings. A server reads the
// same path, and CSP decodes them.
func encode(d *dice, raw string) string {
	authority := strings.Index(raw, "://") + len("://")
	slash := strings.IndexByte(raw[authority:], '/')
	if slash < 0 {
		return raw
	}
	path, query, asked := strings.Cut(raw[authority+slash:], "?")
	var b strings.Builder
	for i, c := range []byte(path) {
		encoding := i > 1 && path[i-1] == '%' || i > 2 && path[i-2] == '%'
		if c > ' ' && c <= '~' && !strings.ContainsRune(`/%\#.`, rune(c)) && !encoding && d.n(3) == 0 {
			b.WriteString(pick(d, fmt.Sprintf("%%%02X", c), fmt.Sprintf("%%%02x", c)))
		} else {
			b.WriteByte(c)
		}
	}
	path = raw[:authority+slash] + b.String()
	if asked {
		path += "?" + query
	}
	return path
}

// A tally counts the draws by kind.
type tally struct{ policies, urls, allowed, encoded, withoutWorker int }

// checkDraw draws one policy and some URLs and adds to the tally.
func checkDraw(t *testing.T, bytes []byte, sum *tally) {
	d := &dice{bytes}
	text := "worker: preferred\n" + drawPolicy(d)
	policy, err := rules.Parse("policy.yaml", []byte(text))
	if err != nil {
		return // some draws are not valid policies; the tally counts the valid ones
	}
	sum.policies++
	f := firewall.New(policy)
	document, worker := f.Headers(firewall.Inner, site), f.Headers(firewall.WorkerScript, site)
	documentCSP, workerCSP := directives(t, document), directives(t, worker)
	withoutWorker := directives(t, firewall.New(policy.WithoutWorker()).Headers(firewall.Inner, site))
	for range 8 {
		rule := &policy.Rules[d.n(len(policy.Rules))]
		pattern := &rule.Patterns[d.n(len(rule.Patterns))]
		raw := drawURL(d, &pattern.Targets[d.n(len(pattern.Targets))])
		if d.n(8) == 7 {
			raw = pick(d, foreignURLs...)
		}
		odd := d.n(4) == 3
		if odd {
			raw = encode(d, raw)
		}
		kind := pick(d, patternTypes...)
		switch {
		case strings.HasPrefix(raw, "ws"):
			kind = rules.TypeWebSocket
		case slices.Contains(rule.Types, rules.TypeFrame):
			kind = rules.TypeFrame
		case len(rule.Types) > 0:
			kind = pick(d, rule.Types...)
		}
		sum.urls++
		verdict := f.Decide(firewall.Request{Method: "GET", URL: raw, Type: kind})
		if u, err := browsermodel.ParseURL(raw); err == nil && allows(t, withoutWorker[browsermodel.Directive(kind)], u) {
			sum.withoutWorker++
			for _, method := range []string{"GET", "POST"} {
				if v := f.Decide(firewall.Request{Method: method, URL: raw, Type: kind}); v.Action != rules.Allow {
					t.Errorf("%s %s %s is blocked (%s), and allowed without the worker:\n%q\n%s", method, kind, raw, v.Reason, withoutWorker, text)
				}
			}
		}
		if verdict.Action != rules.Allow {
			continue
		}
		sum.allowed++
		u, err := browsermodel.ParseURL(raw)
		if err != nil {
			t.Fatalf("%s is allowed, but is no URL: %v", raw, err)
		}
		fail := func(who string, what any) {
			t.Errorf("rule %s allows %s %s, but %s does not:\n%q\n%s", verdict.Rule, kind, raw, who, what, text)
		}
		if sources := documentCSP[browsermodel.Directive(kind)]; !allows(t, sources, u) {
			fail("the document's "+browsermodel.Directive(kind), sources)
		}
		// No worker makes requests of these two types.
		byWorker := kind != rules.TypeWebSocket && kind != rules.TypeFrame
		if sources := workerCSP["connect-src"]; byWorker && !allows(t, sources, u) {
			fail("the worker's connect-src", sources)
		}
		if odd {
			sum.encoded++
			continue // URLPattern decodes nothing; blocking such a spelling is the safe side
		}
		if !connects(t, document, u) {
			fail("the document's Connection-Allowlist", document.Get("Connection-Allowlist"))
		}
		if byWorker && !connects(t, worker, u) {
			fail("the worker's Connection-Allowlist", worker.Get("Connection-Allowlist"))
		}
	}
}

const drawLength = 160 // bytes, more than any draw uses up

func TestBrowserPolicyAllowsWhatDecideAllows(t *testing.T) {
	const draws = 1_500
	random := rand.New(rand.NewPCG(1, 2))
	var sum tally
	for range draws {
		bytes := make([]byte, drawLength)
		for i := range bytes {
			bytes[i] = byte(random.UintN(256))
		}
		checkDraw(t, bytes, &sum)
		if t.Failed() {
			return // one counterexample is enough to read
		}
	}
	t.Logf("%+v", sum)
	if sum.policies < draws*3/4 || sum.allowed < sum.urls/2 || sum.encoded < sum.allowed/10 || sum.allowed == sum.urls || sum.withoutWorker < sum.allowed/10 {
		t.Errorf("the draws show too little: %d draws, %+v", draws, sum)
	}
}

func FuzzBrowserPolicyAllowsWhatDecideAllows(f *testing.F) {
	for seed := range uint64(16) {
		random := rand.New(rand.NewPCG(seed, 0))
		bytes := make([]byte, drawLength)
		for i := range bytes {
			bytes[i] = byte(random.UintN(256))
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) { checkDraw(t, bytes, &tally{}) })
}
