package mapping

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// nowhere makes the browser resolve no name but the server's own. So an allowed request leaves
// the worker, and does not get any further.
const nowhere = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost"

// The browser policies of widePolicies are wider than their rules, so that the worker decides
// and not the browser.
var widePolicies = []string{`version: 1
rules:
  - id: pages
    allow: ["https://*.a.example/**/p*", "https://a.example/**/p*", "http://*.a.example:8080/*/x"]
  - id: reads
    allow: ["https://*.b.a.example", https://b.example]
    methods: [GET, HEAD]
  - id: pictures
    allow: "https://*.a.example/img-*/**"
    types: [image]
  - id: never
    block: ["https://*.a.example/**/secret/**", "https://x-*.b.a.example"]
    except: "https://*.a.example/p/secret/open"
    reason: not for pages
  - id: no-writes
    block: https://b.example/**
    methods: [PUT, DELETE]
`, `version: 1
mode: audit
rules:
  - id: known
    allow: ["https://*.a.example/p/**", https://a.example]
  - id: tracker
    block: ["https://*.b.a.example", "https://b.example/{x,p}/**"]
    except: [https://c.b.a.example, "https://*.b.a.example/p/*"]
  - id: scripts
    block: "https://*.a.example/**/x"
    types: [script]
`}

// `rules explain` and the worker decide alike, on 10,000 random requests that real pages make
// in a real browser. The worker reports its verdicts to the server.
func TestExplainAndTheWorkerAgree(t *testing.T) {
	t.Parallel()
	const each = 5_000
	b, err := browser.Launch(nowhere)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	random := rand.New(rand.NewPCG(5, 6))
	for i, text := range widePolicies {
		fire := firewall.New(glass.Parse(t, text))
		requests := make([]drawn, each)
		byBrowser := 0
		for n := 0; n < each; {
			requests[n] = drawRequest(random, n)
			if e := fire.Explain(firewall.Request{Method: requests[n].Method, URL: requests[n].URL, Type: requests[n].Type}); len(e.CSP.Sources) == 0 || len(e.ConnectionAllowlist) == 0 {
				byBrowser++ // the browser itself blocks it, so it never reaches the worker
				continue
			}
			n++
		}
		kinds := map[string]int{}
		for n, got := range verdictsOf(t, b, text, requests) {
			r := requests[n]
			want := fire.Explain(firewall.Request{Method: r.Method, URL: r.URL, Type: r.Type})
			kinds[fmt.Sprint(want.Verdict, " ", want.Code)]++
			// An allowed request finds no server.
			if want.Verdict == rules.Allow {
				want.Code = "network-error"
			}
			if got.Action != want.Verdict || got.Rule != want.Rule || got.Code != want.Code || got.File != want.File || got.Line != want.Line {
				t.Errorf("%s %s %s:\n worker %+v\nexplain %+v", r.Method, r.Type, r.URL, got, want)
			}
		}
		t.Logf("policy %d: %v; %d more draws would be blocked by the browser itself", i+1, kinds, byBrowser)
		// If all verdicts were alike, the test would show nothing.
		least := map[string]int{"allow rule": each / 10, "block rule": each / 20, "block noncanonical": each / 50}
		least[[]string{"block default", "allow audit"}[i]] = each / 10
		for kind, count := range least {
			if kinds[kind] < count {
				t.Errorf("only %d of %d requests are of the kind %q", kinds[kind], each, kind)
			}
		}
	}
}

// A number in its query identifies a drawn request.
type drawn struct {
	Method string     `json:"method"`
	URL    string     `json:"url"`
	Type   rules.Type `json:"type"`
}

func drawRequest(random *rand.Rand, n int) drawn {
	one := func(words ...string) string { return words[random.IntN(len(words))] }
	host := one("a.example", "b.example", "x.a.example", "y.x.a.example", "b.a.example", "c.b.a.example", "x-1.b.a.example", "A.Example", "w.a.example", "w.a.example")
	if random.IntN(20) == 0 {
		host = one("aa.example", "a.example.", "c.example", "10.0.0.1", "0x7f.1", "x_y.a.example")
	}
	path := ""
	for range 1 + random.IntN(4) {
		path += "/" + one("p", "p", "x", "secret", "open", "p1", "", "img-1", "%70", "P", ".", "é", "[x]")
	}
	if random.IntN(20) == 0 {
		path += one("/%2f", "/%5C", "/%00", "/%zz", "/..%2f")
	}
	r := drawn{Method: "GET", Type: rules.Type(one("fetch", "fetch", "fetch", "image", "script", "style")), URL: one("https", "https", "https", "http") + "://" + host + one("", "", "", ":8080") + path + "?n=" + strconv.Itoa(n)}
	if r.Type == rules.TypeFetch {
		r.Method = one("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
	}
	return r
}

// A told verdict is what the worker reports to the server.
type told struct {
	Action rules.Action
	Rule   string
	Code   rules.Code
	File   string
	Line   int
	URL    string
}

// makeRequests is a function of the page. It makes the requests, several at a time, and
// returns when all have ended.
const makeRequests = `async (requests) => {
	const load = (name, attribute, url) => new Promise((resolve) => {
		const element = document.createElement(name)
		element.onload = element.onerror = () => { element.remove(); resolve() }
		if (name === 'link') element.rel = 'stylesheet'
		element[attribute] = url
		document.head.append(element)
	})
	const make = ({ method, url, type }) => {
		switch (type) {
			case 'image': return load('img', 'src', url)
			case 'script': return load('script', 'src', url)
			case 'style': return load('link', 'href', url)
			default: return fetch(url, { method }).catch(() => undefined)
		}
	}
	for (let i = 0; i < requests.length; i += 50) await Promise.all(requests.slice(i, i + 50).map(make))
}`

// verdictsOf has a sandbox under the policy make the requests, and returns the worker's
// verdict on each.
func verdictsOf(t *testing.T, b *browser.Browser, policy string, requests []drawn) []told {
	t.Helper()
	verdicts := make([]told, len(requests))
	count, all := 0, make(chan struct{})
	var mu sync.Mutex
	g := glass.StartBehind(t, func(server http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/verdicts") {
				body, err := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				var batch struct {
					Dropped  int
					Verdicts []told
				}
				if err == nil {
					err = json.Unmarshal(body, &batch)
				}
				if err != nil || batch.Dropped > 0 {
					t.Errorf("%d verdicts dropped, %v", batch.Dropped, err)
				}
				mu.Lock()
				for _, v := range batch.Verdicts {
					_, number, found := strings.Cut(v.URL, "?n=")
					n, err := strconv.Atoi(number)
					if !found || err != nil {
						continue // a file of the sandbox itself
					}
					if n >= len(verdicts) || verdicts[n].URL != "" {
						t.Errorf("a verdict too many, on %s", v.URL)
						continue
					}
					verdicts[n] = v
					if count++; count == len(verdicts) {
						close(all)
					}
				}
				mu.Unlock()
			}
			server.ServeHTTP(w, r)
		})
	})
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "<!doctype html><meta charset=utf-8><title>Requests</title>"}, policy)
	v := g.OpenIn(t, b, "localhost", sandbox)
	for part := range slices.Chunk(requests, 500) {
		list, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		v.Eval(fmt.Sprintf("() => (%s)(%s)", makeRequests, list))
	}
	select {
	case <-all:
	case <-time.After(browser.Patience): // the pages are done, and the last verdicts are under way
	}
	mu.Lock()
	defer mu.Unlock()
	if count < len(verdicts) {
		first := slices.IndexFunc(verdicts, func(v told) bool { return v.URL == "" })
		t.Fatalf("the worker reported %d of %d requests; the first missing one is %+v", count, len(verdicts), requests[first])
	}
	return verdicts
}
