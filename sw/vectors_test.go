package sw_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/rule"
	"github.com/bellglass/bellglass/rules/vectors"
)

// A question is a policy's program with requests to decide. The answer has one decision for
// each request.
type question struct {
	Program  *rules.Program `json:"program"`
	Requests []request      `json:"requests"`
}

type request struct {
	Method string     `json:"method"`
	Type   rules.Type `json:"type"` // "" is undefined in the worker
	URL    string     `json:"url"`
}

type decision struct {
	Action rules.Action `json:"action"`
	Rule   string       `json:"rule"`
	Code   rules.Code   `json:"code"`
	File   string       `json:"file"`
	Line   int          `json:"line"`
}

// An answer is a decision on a URL, and the URL as it is serialized, or "" if it cannot be
// parsed.
type answer struct {
	decision
	Href string `json:"href"`
}

// decideAll runs the worker's own code in one process. It passes what a browser would pass:
// the serialized URL, or the raw text if it cannot be parsed.
func decideAll(t *testing.T, questions []question) [][]answer {
	t.Helper()
	var answers [][]answer
	runNode(t, `import { decide } from '../sw/src/decide'
import { openProgram } from '../sw/src/program'
function serialized(raw: string): string {
  try {
    return new URL(raw).href
  } catch {
    return ''
  }
}
print(input.map((q: any) => [openProgram(q.program), q.requests]).map(([program, requests]: any) => requests.map((r: any) => {
  const href = serialized(r.url)
  const url = href === '' ? r.url : href
  const { action, rule, code, file, line } = decide(program, { method: r.method, type: r.type === '' ? undefined : r.type, url })
  return { action, rule, code, file, line, href }
})))
`, questions, &answers)
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	for i := range answers {
		if len(answers[i]) != len(questions[i].Requests) {
			t.Fatalf("%d decisions on %d requests", len(answers[i]), len(questions[i].Requests))
		}
	}
	return answers
}

func loadVectors(t *testing.T) ([]vectors.File, []*rules.Policy) {
	t.Helper()
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	var policies []*rules.Policy
	for _, file := range files {
		policy, err := rules.Parse(file.Name, file.Policy)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, policy)
	}
	return files, policies
}

// The worker decides each shared vector as the vector says.
func TestVectors(t *testing.T) {
	files, policies := loadVectors(t)
	var questions []question
	count := 0
	for i, file := range files {
		q := question{Program: policies[i].Program()}
		for _, c := range file.Cases {
			q.Requests = append(q.Requests, request{c.Method, c.Type, c.URL})
		}
		count += len(file.Cases)
		questions = append(questions, q)
	}
	// Minimum counts, so that the test notices a lost set of vectors.
	if len(files) < 87 || count < 3950 {
		t.Errorf("only %d files with %d cases", len(files), count)
	}
	for i, answers := range decideAll(t, questions) {
		for j, got := range answers {
			c := files[i].Cases[j]
			if got.Action != c.Action || got.Rule != c.Rule || got.Code != c.Code {
				t.Errorf("%s:%d: %s %s %.200s\n got %s rule %q code %q\nwant %s rule %q code %q",
					files[i].Name, c.Line, c.Method, c.Type, c.URL, got.Action, got.Rule, got.Code, c.Action, c.Rule, c.Code)
			}
		}
	}
}

// Beyond the vectors, Go and the worker agree on random requests. A browser cannot send a URL
// that it cannot parse, so for such URLs it is enough that both block.
func TestRandomRequests(t *testing.T) {
	const count = 20_000
	files, policies := loadVectors(t)
	random := rand.New(rand.NewPCG(3, 4))
	questions := make([]question, len(files))
	for i := range files {
		questions[i].Program = policies[i].Program()
	}
	for n := range count {
		i := n % len(files)
		questions[i].Requests = append(questions[i].Requests, drawRequest(random, files, files[i].Cases))
	}
	kinds := map[string]int{}
	for i, answers := range decideAll(t, questions) {
		judge := firewall.New(policies[i])
		for j, got := range answers {
			r := questions[i].Requests[j]
			v := judge.Decide(firewall.Request{Method: r.Method, URL: r.URL, Type: r.Type})
			kind := fmt.Sprint(v.Action, " ", v.Code)
			want := decision{v.Action, v.Rule, v.Code, v.File, v.Line}
			refused := v.Action == rules.Block && (v.Code == rules.CodeNoncanonical || v.Code == rules.CodeTooLong)
			switch {
			case got.Href == "":
				kind, want = "not parsed", decision{Action: rules.Block, Rule: got.Rule, Code: got.Code, File: got.File, Line: got.Line}
			case dotSegments(got.Href):
				// Some versions of Node overlook a dot segment, which no browser does. That
				// shows what the worker does with URLs that no parser should produce.
				kind, want = "dot segments", decision{Action: rules.Block, Code: rules.CodeNoncanonical, File: got.File}
			case got.Code == rules.CodeUnsupportedScheme && refused:
				// Go's parser rejects some hosts of such URLs. The worker never reads these
				// hosts.
				kind, want.Code = string(got.Code), got.Code
			case got.decision != want && refused:
				// The two parsers differ on a URL that a page could write, and Go's parser
				// rejects it. They must agree on the URL as the browser serializes it, which
				// is all that a worker ever sees.
				v = judge.Decide(firewall.Request{Method: r.Method, URL: got.Href, Type: r.Type})
				kind, want = "parsers differ", decision{v.Action, v.Rule, v.Code, v.File, v.Line}
				// Go's parser also rejects names that a browser keeps, such as wrong punycode.
				// For these it is enough that the worker blocks, too.
				if v.Code == rules.CodeNoncanonical && got.Action == rules.Block {
					want = got.decision
				}
			}
			kinds[kind]++
			if got.decision != want {
				t.Errorf("%s: %s %q %.300q\n worker %+v\n     Go %+v (%s)", files[i].Name, r.Method, r.Type, r.URL, got, want, v.Reason)
			}
		}
	}
	t.Log(kinds)
	// If all requests were refused for one reason, the test would show nothing.
	for kind, least := range map[string]int{
		"allow rule": count / 10, "block rule": count / 100, "block default": count / 20, "block noncanonical": count / 20, "block private-address": 20,
		"block too-long": 10, "block unsupported-scheme": 20, "block unsupported-type": count / 20,
	} {
		if kinds[kind] < least {
			t.Errorf("only %d of %d requests are of the kind %q, want %d", kinds[kind], count, kind, least)
		}
	}
	for _, kind := range []string{"parsers differ", "dot segments"} {
		if kinds[kind] > count/100 {
			t.Errorf("%d of %d requests are of the kind %q", kinds[kind], count, kind)
		}
	}
}

// dotSegments reports whether an http or WebSocket URL has a segment that a parser should have
// resolved.
func dotSegments(href string) bool {
	if scheme, _, _ := strings.Cut(href, "://"); rule.DefaultPort(scheme) == 0 {
		return false
	}
	path, _, _ := strings.Cut(strings.NewReplacer("%2e", ".", "%2E", ".").Replace(href), "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../")
}

// drawRequest changes a case of the file itself, so that the request is close to the rules.
func drawRequest(random *rand.Rand, files []vectors.File, own []vectors.Case) request {
	base := own[random.IntN(len(own))]
	r := request{base.Method, base.Type, base.URL}
	if len(r.URL) > 600 && random.IntN(20) > 0 { // rarely long, to keep the input small
		r.URL = r.URL[:200]
	}
	if random.IntN(4) == 0 {
		r.Method = rules.Methods[random.IntN(len(rules.Methods))]
	}
	if random.IntN(6) == 0 {
		r.Type = append([]rules.Type{""}, rules.Types...)[random.IntN(len(rules.Types)+1)]
	}
	for range random.IntN(4) {
		r.URL = mutate(random, r.URL, files)
	}
	return r
}

// pieces are inserted into URLs. Each means something to some parser.
var pieces = []string{
	"/", "//", "/./", "/../", "\\", "?", "#", "@", ":", ":80", ":443", ":8443", ":08", ".", "..", "-", "_", "*", "%", "%2f", "%2F", "%5c", "%00", "%61", "%7E", "%c3%a9", "%zz",
	"%2e", "%2E%2e", " ", "\t", "\n", "'", "\"", "<", ">", "`", "{", "}", "|", "^", "[", "]", "~", ";", ",", "+", "é", "☂", "\U0001F302", "xn--bcher-kva", "a", "A", "0", "0x7f", "127.0.0.1", "1", "::1", "example.com",
}

func mutate(random *rand.Rand, url string, files []vectors.File) string {
	at := random.IntN(len(url) + 1)
	if random.IntN(2) == 0 { // after the host, where rules say more
		if scheme := strings.Index(url, "://"); scheme >= 0 {
			if slash := strings.IndexByte(url[scheme+3:], '/'); slash >= 0 {
				at = scheme + 3 + slash + random.IntN(len(url)-scheme-3-slash+1)
			}
		}
	}
	piece := pieces[random.IntN(len(pieces))]
	switch random.IntN(6) {
	case 0: // remove a piece
		end := min(len(url), at+1+random.IntN(4))
		url = url[:at] + url[end:]
	case 1: // the path of another case on this host, or this path on the host of another case
		file := files[random.IntN(len(files))]
		other := file.Cases[random.IntN(len(file.Cases))].URL
		if len(other) > 600 {
			other = other[:200]
		}
		url = url[:at] + other[min(at, len(other)):]
	case 2:
		_, rest, _ := strings.Cut(url, "://")
		url = []string{"http://", "https://", "ws://", "wss://", "HTTPS://", "ftp://", "https:/", "https:"}[random.IntN(8)] + rest
	default:
		url = url[:at] + piece + url[at:]
	}
	return strings.ToValidUTF8(url, "") // JSON has only valid UTF-8
}
