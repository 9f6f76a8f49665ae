package tests

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
)

// Attempts to get out. Each runs twice from the very same page: with the
// defences off it must arrive at the canary, with them on it must not. What
// the page itself says about it decides nothing.

// An attempt is a body of an async function that gets TARGET, a canary address
// of this attempt (STUN for a STUN server), and returns when it has done what it can.
type attempt struct{ name, code string }

// leaving are the attempts that navigate the view itself. The browser ends the
// document when it refuses them.
var leaving = map[string]bool{"form": true, "self-navigation": true, "meta-refresh": true}

// helpers are in scope of every attempt. settled resolves when an element has
// loaded, failed, or been refused by the browser's policy, whichever the page
// gets to know first.
const attemptHelpers = `
const settled = (element, ...more) => new Promise((resolve) => {
  for (const type of ['load', 'error', ...more]) element.addEventListener(type, resolve, { once: true })
  addEventListener('securitypolicyviolation', () => resolve(), { once: true })
})
const frame = (make) => {
  const f = document.createElement('iframe')
  const done = settled(f)
  make(f)
  document.body.append(f)
  return done
}
const answer = (target) => new Promise((resolve) => {
  addEventListener('message', (event) => { if (event.data === 'tried') resolve() })
})
const inside = "fetch(TARGET).catch(() => {}).then(() => parent.postMessage('tried', '*'))"
`

var attempts = []attempt{
	{"fetch", `await fetch(TARGET).catch(() => {})`},
	{"fetch-no-cors", `await fetch(TARGET, { mode: 'no-cors', method: 'POST', body: 'secret' }).catch(() => {})`},
	{"xhr", `await new Promise((resolve) => { const x = new XMLHttpRequest(); x.onloadend = resolve; x.open('GET', TARGET); x.send() })`},
	{"beacon", `navigator.sendBeacon(TARGET, 'secret')`},
	{"image", `const i = new Image(); const done = settled(i); i.src = TARGET; await done`},
	{"script", `const s = document.createElement('script'); const done = settled(s); s.src = TARGET; document.body.append(s); await done`},
	{"style", `const l = document.createElement('link'); l.rel = 'stylesheet'; const done = settled(l); l.href = TARGET; document.head.append(l); await done`},
	{"eventsource", `await new Promise((resolve) => { const e = new EventSource(TARGET); e.onerror = e.onopen = () => { e.close(); resolve() } })`},
	{"form", `const f = document.createElement('form'); f.action = TARGET; f.method = 'POST'; document.body.append(f); f.submit()`},
	{"self-navigation", `location.href = TARGET`},
	{"meta-refresh", `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=' + TARGET + '">')`},
	{"frame-src", `await frame((f) => { f.src = TARGET })`},
	{"frame-srcdoc", `const told = answer(); frame((f) => { f.srcdoc = '<script>' + inside.replace('TARGET', JSON.stringify(TARGET)) + '<' + '/script>' }); await told`},
	{"frame-about-blank", `await frame((f) => { f.src = 'about:blank' }); await document.querySelector('iframe').contentWindow.fetch(TARGET).catch(() => {})`},
	{"frame-blob", `const told = answer(); frame((f) => { f.src = URL.createObjectURL(new Blob(['<script>' + inside.replace('TARGET', JSON.stringify(TARGET)) + '<' + '/script>'], { type: 'text/html' })) }); await told`},
	{"worker-blob", `await new Promise((resolve) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch(" + JSON.stringify(TARGET) + ").catch(() => {}).then(() => postMessage(1))"]))); w.onmessage = w.onerror = resolve })`},
	{"worker-data", `await new Promise((resolve) => { try { const w = new Worker('data:text/javascript,' + encodeURIComponent("fetch(" + JSON.stringify(TARGET) + ").catch(() => {}).then(() => postMessage(1))")); w.onmessage = w.onerror = resolve } catch { resolve() } })`},
	{"websocket", `await new Promise((resolve) => { const w = new WebSocket(TARGET.replace('http', 'ws')); w.onopen = w.onerror = w.onclose = resolve })`},
	{"webrtc-stun", `const c = new RTCPeerConnection({ iceServers: [{ urls: STUN }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()); await new Promise((resolve) => { c.onicegatheringstatechange = () => { if (c.iceGatheringState === 'complete') resolve() } })`},
	{"after-unregister", `for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister(); await fetch(TARGET).catch(() => {})`},
	{"popup", `open(TARGET)`},
	{"redirect-of-own", `await fetch('/r?to=' + encodeURIComponent(TARGET)).catch(() => {})`},
}

// withoutControl are attempts that the browser itself stops in a framed page,
// so that nothing arrives without our defences either. They are run, and not
// counted as ours.
var withoutControl = map[string]string{
	"popup":           "a pop-up without a click is refused by the browser",
	"redirect-of-own": "no origin of ours redirects to where a caller says",
}

const escapePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Escape</title><body>ready`

func TestNothingGetsOut(t *testing.T) {
	t.Parallel()
	undefended := startGlass(t, func(c *server.Config) {
		c.Defences = firewalltest.NoDefences("the positive control of each attempt")
	})
	birds := canary.Start(t)
	for i, naming := range namings {
		defended := startGlass(t, named(naming))
		t.Run(naming, func(t *testing.T) {
			for _, a := range attempts {
				t.Run(a.name, func(t *testing.T) {
					// Tokens are for one naming each; the canary is shared.
					token := fmt.Sprint(a.name, "-", i)
					// That an attempt arrives without defences needs to be seen only once.
					if _, excused := withoutControl[a.name]; i == 0 && !excused {
						// If this does not arrive, blocking it would prove nothing.
						undefended.try(t, birds, a, token+"-control", false)
					}
					defended.try(t, birds, a, token, true)
					ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
					defer cancel()
					if err := birds.Quiesce(ctx); err != nil {
						t.Fatal(err)
					}
					if hits := birds.Hits(token); len(hits) > 0 {
						t.Errorf("the attempt got out: %+v", hits)
					}
				})
			}
		})
	}
}

// try runs the attempt in a sandbox of its own and closes the browser context,
// which ends all its connections. With defences it first makes sure that the
// attempt has had its chance: a navigation has been refused when the host page
// says so, and the request of the same browser that a rule allows, made later,
// has arrived.
func (g *glass) try(t *testing.T, birds *canary.Canary, a attempt, token string, defended bool) {
	t.Helper()
	late := token + "-late"
	policy := allScripts + fmt.Sprintf("rules:\n  - id: late\n    allow: %s\n    types: [fetch]\n", birds.URL(late, "/late"))
	v := g.open(t, "localhost", g.sandbox(t, map[string]string{"/index.html": escapePage}, policy))
	stun := ""
	if strings.Contains(a.code, "STUN") {
		stun = "stun:" + birds.UDP(token)
	}
	code := fmt.Sprintf("async () => { const TARGET = %q, STUN = %q\n%s\n%s }", birds.URL(token, "/secret.js"), stun, attemptHelpers, a.code)
	if _, err := v.evaluate(code); err != nil && !leaving[a.name] {
		t.Errorf("the attempt ended with: %v", err)
	}
	if defended {
		if leaving[a.name] {
			v.waitFor(`[data-testid=state][data-code=navigation-blocked]`)
			v.waitFor(`[data-testid=verdict][data-source=outer][data-action=block]`)
			if err := v.page.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Reload"}).First().Click(); err != nil {
				t.Fatal(err)
			}
			v.waitState("ready")
		}
		v.eval(fmt.Sprintf("() => fetch(%q).then((r) => r.status)", birds.URL(late, "/late")))
		wait(t, birds, late)
	} else {
		wait(t, birds, token)
	}
	if err := v.page.Context().Close(); err != nil {
		t.Fatal(err)
	}
}

func wait(t *testing.T, birds *canary.Canary, token string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := birds.Wait(ctx, token); err != nil {
		t.Fatalf("%s does not arrive: %v", token, err)
	}
}
