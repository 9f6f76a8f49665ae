package tests

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
)

// net/http answers what it cannot read itself, before any handler runs and so
// without a policy. A document of the sandbox's own origin without a policy is a
// way out: the page can reach into it, and whatever it does from there is bound
// by nothing. Page code can make a browser send such requests.

// bareRequests are bodies of async functions that load a document of the own
// origin which net/http refuses, and return its frame.
var bareRequests = []attempt{
	{"escape-without-digits", `await frame((f) => { f.src = '/%zz' })`},
	{"header-too-long", `await frame((f) => { f.src = '/' + 'a'.repeat(100_000) })`},
}

// fromWithin unregisters the worker, which would have answered, loads the
// document, and fetches TARGET from inside of it.
func fromWithin(a attempt) attempt {
	return attempt{a.name, `for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister()
` + a.code + `
try { await document.querySelector('iframe').contentWindow.fetch(TARGET, { mode: 'no-cors' }) } catch {}`}
}

func TestNoDocumentIsWithoutAPolicy(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	plain, defended := startUnguarded(t), startGlass(t)
	for _, a := range bareRequests {
		t.Run(a.name, func(t *testing.T) {
			plain.try(t, birds, fromWithin(a), a.name+"-control", false)
			defended.try(t, birds, fromWithin(a), a.name, true)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := birds.Quiesce(ctx); err != nil {
				t.Fatal(err)
			}
			if hits := birds.Hits(a.name); len(hits) > 0 {
				t.Errorf("it got out: %+v", hits)
			}
		})
	}
}

// startUnguarded is the control: all defences but the guard of the connections.
func startUnguarded(t testing.TB) *glass {
	t.Helper()
	listeners := listenLoopback(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	srv, err := server.New(server.Config{Port: port})
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{Handler: srv, MaxHeaderBytes: 64 << 10}
	for _, l := range listeners {
		go h.Serve(l)
	}
	t.Cleanup(func() { h.Close() })
	return &glass{srv, port}
}
