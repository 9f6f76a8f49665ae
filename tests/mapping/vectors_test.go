package mapping

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Minimum counts, so that the test notices a lost set of vectors.
const leastFiles, leastCases = 87, 3950

// The worker's own code, in a service worker of each engine, decides each shared vector as the
// vector says, on the URL as that engine writes it. Package sw does the same in Node, whose
// URL parser is not that of any of these engines.
func TestVectorsInBrowsers(t *testing.T) {
	files, questions := vectorQuestions(t)
	for _, engine := range []struct {
		name string
		ask  func(t *testing.T, url string, answers any) (version string)
	}{
		{"chromium", askChromium},
		{"firefox", func(t *testing.T, url string, answers any) string {
			glass.Firefox(t).Open(t, url).Eval(t, `answers`, answers)
			return glass.Firefox(t).Version()
		}},
		{"webkitgtk", func(t *testing.T, url string, answers any) string {
			glass.WebKit(t).Open(t, url).Eval(t, `answers`, answers)
			return glass.WebKit(t).Version()
		}},
	} {
		t.Run(engine.name, func(t *testing.T) {
			var answers [][]vectorAnswer
			version := engine.ask(t, serveVectors(t, questions), &answers)
			if len(answers) != len(files) {
				t.Fatalf("answers to %d files, want %d", len(answers), len(files))
			}
			cases, differences := 0, 0
			for i, file := range files {
				if len(answers[i]) != len(file.Cases) {
					t.Fatalf("%s: %d answers, want %d", file.Name, len(answers[i]), len(file.Cases))
				}
				for j, c := range file.Cases {
					cases++
					want := vectorDecision{c.Action, c.Rule, c.Code}
					if got := answers[i][j]; got.vectorDecision != want {
						differences++
						t.Errorf("%s:%d: %s %s %.200s\nas %s\n got %+v\nwant %+v", file.Name, c.Line, c.Method, c.Type, c.URL, got.Href, got.vectorDecision, want)
					}
				}
			}
			t.Logf("%s %s: %d files, %d cases, %d differences", engine.name, version, len(files), cases, differences)
			if len(files) < leastFiles || cases < leastCases {
				t.Errorf("that is fewer than %d files or %d cases", leastFiles, leastCases)
			}
		})
	}
}

// askChromium does with Playwright what Open and Eval do for the other two engines.
func askChromium(t *testing.T, url string, answers any) (version string) {
	page := glass.NewPage(t)
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	text, err := page.Evaluate(`answers.then(a => JSON.stringify(a))`)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text.(string)), answers); err != nil {
		t.Fatal(err)
	}
	return glass.Chromium(t).Version()
}

type vectorDecision struct {
	Action rules.Action `json:"action"`
	Rule   string       `json:"rule"`
	Code   rules.Code   `json:"code"`
}

// A vectorAnswer is a decision, with the beginning of its URL.
type vectorAnswer struct {
	vectorDecision
	Href string `json:"href"`
}

// vectorQuestions returns the vectors, and the worker's questions as JSON.
func vectorQuestions(t *testing.T) ([]vectors.File, []byte) {
	t.Helper()
	type request struct {
		Method string     `json:"method"`
		Type   rules.Type `json:"type,omitempty"` // undefined if the rules have no word for it
		URL    string     `json:"url"`
	}
	type question struct {
		Program  any       `json:"program"`
		Requests []request `json:"requests"`
	}
	files, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	var questions []question
	for _, file := range files {
		policy, err := rules.Parse(file.Name, file.Policy)
		if err != nil {
			t.Fatal(err)
		}
		q := question{Program: vectorProgram(policy)}
		for _, c := range file.Cases {
			q.Requests = append(q.Requests, request{c.Method, c.Type, c.URL})
		}
		questions = append(questions, q)
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	return files, text
}

// vectorProgram returns the policy in the JSON form in which it travels to the worker.
// vectorWorker opens it there.
func vectorProgram(policy *rules.Policy) any { return policy.Program() }

// serveVectors serves a page with a service worker that answers the questions. It listens on
// loopback, where any page may have a worker.
func serveVectors(t *testing.T, questions []byte) (url string) {
	t.Helper()
	const entry = "test/vectors.ts"
	worker, err := sw.Bundle(sw.Sources{
		"sw": sw.TypeScript, "protocol": protocol.TypeScript, "test": fstest.MapFS{"vectors.ts": {Data: []byte(vectorWorker)}},
	}, entry, nil)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for path, file := range map[string]struct {
		kind    string
		content []byte
	}{
		"/{$}":            {"text/html; charset=utf-8", []byte(vectorPage)},
		"/worker.js":      {"text/javascript; charset=utf-8", worker.JS},
		"/questions.json": {"application/json", questions},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", file.kind)
			_, _ = w.Write(file.content) // If the browser is gone, its own error says more.
		})
	}
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL + "/"
}

const vectorPage = `<!doctype html><title>vectors</title><script>
globalThis.answers = (async () => {
  const workers = navigator.serviceWorker;
  const controlled = new Promise(go => workers.addEventListener('controllerchange', go, {once: true}));
  await workers.register('/worker.js');
  if (!workers.controller) await controlled;
  const response = await fetch('/answers.json');
  if (!response.ok) throw new Error(response.status + ' ' + await response.text());
  return response.json();
})();
</script>`

// Only the worker has /answers.json, not the server.
const vectorWorker = `import { decide } from '../sw/src/decide'
import { openProgram } from '../sw/src/program'
declare const self: ServiceWorkerGlobalScope

function program(json: any) {
  return openProgram(json)
}

// serialized returns the request.url of a request. An engine requests no URL that it cannot
// parse, but the worker must still decide such a URL correctly.
function serialized(raw: string): string {
  try {
    return new URL(raw).href
  } catch {
    return raw
  }
}

async function answers(): Promise<Response> {
  try {
    const questions = await (await fetch('/questions.json')).json()
    return Response.json(questions.map((q: any) => {
      const opened = program(q.program)
      return q.requests.map(({ method, type, url }: any) => {
        const href = serialized(url)
        const { action, rule, code } = decide(opened, { method, type, url: href })
        return { action, rule, code, href: href.slice(0, 300) }
      })
    }))
  } catch (error) {
    return new Response(String(error), { status: 500 })
  }
}

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname === '/answers.json') event.respondWith(answers())
})
`
