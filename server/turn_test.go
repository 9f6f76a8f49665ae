package server

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
)

// A client that disconnects while it waits for its turn gets an answer, and uses no turn.
func TestWaitingForATurnEndsWithTheClient(t *testing.T) {
	s, sandbox := newTestServer(t)
	for range cap(s.working) {
		s.working <- struct{}{}
	}
	put := func(ctx context.Context) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, "PUT", "http://localhost:3333/api/v1/sandboxes/"+sandbox.ID()+"/policy", strings.NewReader("version: 1\n"))
		r.Header.Set("Authorization", "Bearer "+s.Token())
		r.Header.Set("Content-Type", "application/yaml")
		return answer(s, r)
	}
	gone, goes := context.WithCancel(t.Context())
	goes()
	if w := put(gone); w.Code != 503 || !strings.Contains(w.Body.String(), "busy") || len(s.working) != cap(s.working) {
		t.Errorf("without a turn: %d %s", w.Code, w.Body)
	}
	for range cap(s.working) {
		<-s.working
	}
	if w := put(t.Context()); w.Code != 200 || len(s.working) != 0 {
		t.Errorf("with a turn: %d %s", w.Code, w.Body)
	}
}

// A goingContext ends after Err has been called a given number of times.
type goingContext struct {
	context.Context
	left atomic.Int64
}

func (c *goingContext) Err() error {
	if c.left.Add(-1) >= 0 {
		return nil
	}
	return context.Canceled
}

// Parsing a policy stops when the client disconnects.
func TestParsingEndsWithTheClient(t *testing.T) {
	s, sandbox := newTestServer(t)
	text := "version: 1\nrules:\n" + strings.Repeat("- block: https://a.example\n", 100)
	put := func(asked int64) (*httptest.ResponseRecorder, int64) {
		ctx := &goingContext{Context: t.Context()}
		ctx.left.Store(asked)
		r := apiRequest(s, "PUT", "/sandboxes/"+sandbox.ID()+"/policy", api.MediaYAML, text)
		w := answer(s, r.WithContext(ctx))
		return w, ctx.left.Load()
	}
	if w, left := put(50); w.Code != 503 || !strings.Contains(w.Body.String(), `"busy"`) || left < -20 {
		t.Errorf("%d %s; the context is asked %d times after its end", w.Code, w.Body, -left)
	}
	if len(s.working) != 0 || sandbox.Revision() != 1 {
		t.Errorf("%d turns are taken, and the sandbox has revision %d", len(s.working), sandbox.Revision())
	}
	if w, _ := put(1 << 40); w.Code != 200 {
		t.Errorf("a client that waits: %d %s", w.Code, w.Body)
	}
}

// Page code can request the boot page and the worker's script any number of times. Beyond the
// sandbox's rate these requests are refused, and they cost no other sandbox anything.
func TestBootFloodsAreMetered(t *testing.T) {
	s, sandboxes := limited(t, Limits{Requests: Rate{PerSecond: 0.001, Burst: 8}}, 6)
	for i, row := range []struct{ path, destination string }{
		{protocol.WorkerPath, "serviceworker"}, {"/", "iframe"}, {protocol.BootPath, "iframe"}, {protocol.RunPath, "iframe"}, {"/any", "frame"},
	} {
		ask := func(sandbox *Sandbox) *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", sandbox.URL()+row.path, nil)
			r.Header.Set("Sec-Fetch-Dest", row.destination)
			r.Header.Set("Service-Worker", "script")
			return answer(s, r)
		}
		for range 8 {
			if w := ask(sandboxes[i]); w.Code != 200 {
				t.Fatalf("%s: %d %s", row.path, w.Code, w.Body)
			}
		}
		if w := ask(sandboxes[i]); w.Code != 429 || !strings.Contains(w.Body.String(), "too-many-requests") || w.Header().Get("Retry-After") == "" {
			t.Errorf("a flood of %s: %d", row.path, w.Code)
		}
		if w := ask(sandboxes[5]); w.Code != 200 {
			t.Errorf("%s of a neighbor: %d", row.path, w.Code)
		}
	}
}
