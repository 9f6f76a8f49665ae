package library

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// A backend is an embedder's server between the page and the sandbox. It requires a token, and
// answers as the HTTP API does.
type backend struct {
	mu      sync.Mutex
	glass   *glass.Server
	sandbox *server.Sandbox
	files   map[string][]byte
}

const backendToken = "let me in"

func (b *backend) handlers() map[string]http.HandlerFunc {
	const root = "/my/api/sandboxes/{id}"
	return map[string]http.HandlerFunc{
		"PUT " + root + "/files/{path...}": b.guarded(func(r *http.Request, body []byte) (any, error) {
			files := maps.Clone(b.files)
			files["/"+r.PathValue("path")] = body
			snapshot, err := b.glass.Store().Snapshot(files, vfs.DefaultLimits())
			if err != nil {
				return nil, err
			}
			b.files = files
			return revised(b.sandbox.SetFiles(snapshot))
		}),
		"PUT " + root + "/policy": b.guarded(func(_ *http.Request, body []byte) (any, error) {
			policy, err := rules.Parse("rules.yaml", body)
			if err != nil {
				return nil, err
			}
			return revised(b.sandbox.SetPolicy(policy))
		}),
		"POST " + root + "/execute": b.guarded(func(_ *http.Request, body []byte) (any, error) {
			var call struct {
				ID, Code     string
				Args         any
				TimeoutMs    int
				Context      string
				Capabilities []string
			}
			if err := json.Unmarshal(body, &call); err != nil {
				return nil, err
			}
			if call.Code == "throw" {
				return map[string]any{"error": map[string]string{"code": "threw", "message": "thrown on purpose"}}, nil
			}
			return map[string]any{"result": []any{call.ID, call.Code, call.Args, call.TimeoutMs, call.Context, call.Capabilities}}, nil
		}),
	}
}

func revised(revision int64, err error) (any, error) {
	return map[string]int64{"revision": revision}, err
}

func (b *backend) guarded(do func(*http.Request, []byte) (any, error)) http.HandlerFunc {
	problem := func(w http.ResponseWriter, status int, code, detail string) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "code": code, "detail": detail})
	}
	return func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil:
			problem(w, http.StatusBadRequest, "unreadable", err.Error())
		case r.Header.Get("Authorization") != "Bearer "+backendToken:
			problem(w, http.StatusUnauthorized, "unauthorized", "The request has no token.")
		case r.PathValue("id") != b.sandbox.ID():
			problem(w, http.StatusNotFound, "unknown-sandbox", "There is no sandbox with this ID.")
		default:
			answer, err := do(r, body)
			if err != nil {
				problem(w, http.StatusUnprocessableEntity, "refused-change", err.Error())
				return
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(answer)
		}
	}
}

// Changes that the element makes go to the embedder's address, with the embedder's token. The
// answer is a result, or an error with a code.
func TestLibraryCalls(t *testing.T) {
	t.Parallel()
	var b backend
	origin := startLibraryPage(t, b.handlers())
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
	b.mu.Lock()
	b.glass, b.sandbox, b.files = g, sandbox, map[string][]byte{}
	b.mu.Unlock()
	var got []string
	glass.OpenChromium(t, libraryURL(origin, g, patience)).Eval(t, fmt.Sprintf(`(async () => {
		await loaded
		const said = []
		const element = made('calls', %q)
		const call = async (name, ...args) => {
			try {
				said.push(name + ' ' + JSON.stringify(await element[name](...args)))
			} catch (error) {
				if (!(error instanceof library.BellglassError)) said.push(name + ' threw ' + error.name)
				else said.push(name + ' ' + [error.code, error.status, error.message !== '' && (error.code !== 'threw' || error.message === 'thrown on purpose')].join())
			}
		}
		await call('writeFile', '/a.txt', 'a')
		element.api = '/my/api/'
		await call('writeFile', '/a.txt', 'a')
		element.token = %q
		await call('writeFile', '/a.txt', 'ä')
		await call('writeFile', '/b c/d#e?f%%.bin', new Uint8Array([0, 255]).subarray(1))
		for (const path of ['a.txt', '', '/x/../a.txt', '/.', '/..']) await call('writeFile', path, 'a')
		await call('setPolicy', 'version: 1\ndefault: block\n')
		await call('setPolicy', 'version: 1\ndefault: allow\n')
		await call('execute', 'return 1')
		await call('execute', 'return 1', [1, 'two'], { id: 'job-1', timeoutMs: 7, context: 'frame', capabilities: ['network:fetch'] })
		await call('execute', 'throw')
		await call('execute', 'return 1', null, { signal: AbortSignal.abort() })
		element.api = '/page.js?'
		await call('writeFile', '/a.txt', 'b')
		await call('execute', 'return 1')
		element.api = 'http://elsewhere.example'
		await call('setPolicy', '')
		element.removeAttribute('src')
		await call('setPolicy', '')
		return said
	})()`, sandbox.OuterURL(), backendToken), &got)
	want := []string{
		`writeFile no-api,0,true`,
		`writeFile unauthorized,401,true`,
		`writeFile {"revision":2}`,
		`writeFile {"revision":3}`,
		`writeFile bad-path,0,true`, `writeFile bad-path,0,true`, `writeFile bad-path,0,true`, `writeFile bad-path,0,true`, `writeFile bad-path,0,true`,
		`setPolicy {"revision":4}`,
		`setPolicy refused-change,422,true`,
		`execute ["","return 1",null,0,"",null]`,
		`execute ["job-1","return 1",[1,"two"],7,"frame",["network:fetch"]]`,
		`execute threw,0,true`,
		`execute threw AbortError`,
		`writeFile bad-answer,0,true`,
		`execute bad-answer,0,true`,
		`setPolicy unreachable,0,true`,
		`setPolicy no-sandbox,0,true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]byte{"/a.txt": []byte("ä"), "/b c/d#e?f%.bin": {255}}, b.files); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	if n := sandbox.Revision(); n != 4 {
		t.Errorf("a refused call made revision %d", n)
	}
}
