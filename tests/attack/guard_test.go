package attack

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Page code against the worker. It cannot read the script or the secret, install another
// worker in its place, or change the rules. If it unregisters the worker, it reaches only its
// own files.

// readings are ways to get the worker's script or the endpoints behind the secret. Each is the
// body of an async function that returns the text it got.
var readings = []attempt{
	{"fetch", `return (await fetch(PATH)).text()`},
	{"fetch-forged-service-worker", `return (await fetch(PATH, { headers: { 'Service-Worker': 'script' } })).text()`},
	{"fetch-forged-sec-fetch-dest", `return (await fetch(PATH, { headers: { 'Sec-Fetch-Dest': 'serviceworker', 'Service-Worker': 'script' } })).text()`},
	{"fetch-force-cache", `return (await fetch(PATH, { cache: 'force-cache' })).text()`},
	{"fetch-only-if-cached", `return (await fetch(PATH, { cache: 'only-if-cached', mode: 'same-origin' })).text()`},
	{"fetch-guessed-secret", `return (await fetch(PATH, { headers: { 'Bellglass-Secret': 'guess' } })).text()`},
	{"xhr", `return new Promise((resolve) => { const x = new XMLHttpRequest(); x.onloadend = () => resolve(x.responseText); x.open('GET', PATH); x.send() })`},
	{"cache-storage", `let all = ''; for (const name of await caches.keys()) { const c = await caches.open(name); for (const r of await c.keys()) all += await (await c.match(r)).text() }; return all`},
	{"script", `const before = new Set(Object.getOwnPropertyNames(window)); const s = document.createElement('script'); s.src = PATH; const done = new Promise((r) => { s.onload = s.onerror = r }); document.body.append(s); await done; try { return JSON.stringify(bellglassConfig) } catch { return Object.getOwnPropertyNames(window).filter((n) => !before.has(n)).join() }`},
	{"module", `try { return JSON.stringify(await import(PATH)) } catch (error) { return '' }`},
	{"iframe", `const f = document.createElement('iframe'); f.src = PATH; const done = new Promise((r) => { f.onload = r }); document.body.append(f); await done; try { return f.contentDocument.documentElement.outerHTML } catch { return '' }`},
	{"worker", `return new Promise((resolve) => { const w = new Worker(PATH); w.onmessage = (e) => resolve(String(e.data)); w.onerror = () => resolve('') })`},
	{"import-scripts", `return new Promise((resolve) => { const w = new Worker(URL.createObjectURL(new Blob(["try { importScripts(" + JSON.stringify(location.origin + PATH) + "); postMessage(JSON.stringify(bellglassConfig)) } catch { postMessage('') }"]))); w.onmessage = (e) => resolve(e.data) })`},
	{"blob-worker-fetch", `return new Promise((resolve) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch(" + JSON.stringify(location.origin + PATH) + ", { headers: { 'Service-Worker': 'script' } }).then((r) => r.text()).then(postMessage, () => postMessage(''))"]))); w.onmessage = (e) => resolve(e.data) })`},
}

func TestPageCannotReadTheWorker(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage, "/own.txt": "own file"}, glass.AllScripts)

	// The control: the script that the page must not get, as the browser gets it.
	script := glass.Body(t, g.Request(t, "GET", sandbox.URL()+"/.bellglass/sw.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, nil))
	secret := glass.Between(t, script, `"secret":"`, `"`)

	v := g.Open(t, "localhost", sandbox)
	run := func(when string) {
		for _, path := range []string{"/.bellglass/sw.js", "/.bellglass/state", "/.bellglass/changes", "/.bellglass/verdicts"} {
			for _, r := range readings {
				got, err := v.Evaluate(fmt.Sprintf("async () => { const PATH = %q\ntry { return String(await (async () => { %s })()) } catch (error) { return String(error) } }", path, r.code))
				if err != nil {
					t.Errorf("%s, %s of %s: %v", when, r.name, path, err)
					continue
				}
				if text := got.(string); strings.Contains(text, secret) || strings.Contains(text, "bellglassConfig") || strings.Contains(text, `"program"`) {
					t.Errorf("%s, %s of %s got %.200q", when, r.name, path, text)
				}
			}
		}
	}
	run("with the worker")
	v.Unregister()
	run("after unregister")
	v.Reload()
	run("after a reload")
	if got := v.Eval(`async () => (await fetch('/own.txt')).text()`); got != "own file" {
		t.Errorf("its own file reads %v", got)
	}
}

func TestPageCannotRegisterAnotherWorker(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	files := map[string]string{
		"/index.html": glass.BlankPage,
		"/evil.js":    "self.addEventListener('fetch', (event) => event.respondWith(new Response('evil')))",
	}
	scripts := []string{
		"'/evil.js'", "'/evil.js?/.bellglass/sw.js'", "'/.bellglass/../evil.js'", "'/.bellglass/boot'", "'/.bellglass/state'",
		"URL.createObjectURL(new Blob([\"self.onfetch = (e) => e.respondWith(new Response('evil'))\"], { type: 'text/javascript' }))",
		"\"data:text/javascript,self.onfetch=(e)=>e.respondWith(new Response('evil'))\"",
	}
	for _, when := range []string{"with the worker", "after unregister"} {
		v := g.Open(t, "localhost", g.NewSandbox(t, files, glass.AllScripts))
		if when == "after unregister" {
			v.Unregister()
		}
		for _, script := range scripts {
			for _, options := range []string{"{}", "{ scope: '/evil/' }", "{ type: 'module' }"} {
				got := v.Eval(fmt.Sprintf("async () => { try { const r = await navigator.serviceWorker.register(%s, %s); return 'registered ' + r.scope } catch (error) { return 'refused' } }", script, options))
				if got != "refused" {
					t.Errorf("%s: register(%s, %s): %v", when, script, options, got)
				}
			}
		}
	}
}

func TestMessagesChangeNoRules(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	target := birds.URL("messages", "/x.json")
	got := v.Eval(fmt.Sprintf(`async () => {
		const program = { default: 'allow', rules: [{ id: 'evil', action: 'allow', patterns: [%[1]q], targets: [] }] }
		const messages = []
		for (const kind of ['state', 'rules', 'policy', 'setPolicy', 'connect', 'reload', 'boot', 'hello', 'event', 'UPDATE_RULES', 'verdict'])
			messages.push({ kind, type: kind, protocol: 1, phase: 'ready', view: true, containment: 'audit', revision: 99, program, rules: program.rules, headers: {}, policy: 'version: 1' })
		const worker = navigator.serviceWorker.controller
		for (const message of messages) {
			const { port2 } = new MessageChannel()
			worker.postMessage(message, [port2])
			for (const other of [parent, top]) {
				const { port2 } = new MessageChannel()
				other.postMessage(message, '*', [port2])
			}
			new BroadcastChannel('bellglass').postMessage(message)
		}
		// The worker handles events in order. Its answer shows that it has received the messages.
		await fetch('/index.html')
		try { return (await fetch(%[1]q)).status } catch { return 'refused' }
	}`, target))
	if got != "refused" {
		t.Errorf("after the messages the fetch gave %v", got)
	}
	if sandbox.Revision() != 1 {
		t.Errorf("the messages made revision %d", sandbox.Revision())
	}
	if hits := birds.Hits("messages"); len(hits) > 0 {
		t.Errorf("got out: %+v", hits)
	}
}

func TestAfterUnregister(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	// A rule allows the host for one method. The browser's policy lets every method through,
	// and only the worker enforces the rule.
	files := map[string]string{"/index.html": glass.BlankPage, "/own.txt": "own file"}
	v := g.Open(t, "localhost", g.NewSandbox(t, files, glass.AllScripts))
	target := birds.URL("unregistered", "/x.json")
	v.Unregister()
	attempt := fmt.Sprintf(`async () => {
		const tries = [() => fetch(%[1]q), () => fetch('/.bellglass/state'), () => fetch('/.bellglass/verdicts', { method: 'POST', body: '{}' })]
		const got = []
		for (const one of tries) try { const r = await one(); got.push(r.status) } catch { got.push('refused') }
		return got.join()
	}`, target)
	v.Reload()
	if got := v.Eval(attempt); got != "refused,403,403" {
		t.Errorf("after unregister and reload: %v", got)
	}
	if got := v.Eval(`async () => (await fetch('/own.txt')).text()`); got != "own file" {
		t.Errorf("its own file reads %v", got)
	}
	v.WaitState("ready")
	if hits := birds.Hits("unregistered"); len(hits) > 0 {
		t.Errorf("got out: %+v", hits)
	}
}
