package server

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
)

// Every fuzz target of this package checks its answers against these rules, which have no
// exception.

// statuses are all statuses that the server answers with. A 5xx is always a mistake, except
// for 503. It says that the whole server has reached a limit, which a single request cannot
// cause.
var statuses = []int{200, 201, 204, 206, 304, 307, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 416, 421, 422, 429}

func checkResponse(t *testing.T, got response) {
	t.Helper()
	if !slices.Contains(statuses, got.status) {
		t.Errorf("status %d: %.300q", got.status, got.body)
	}
	if err := policed(got.header); err != nil {
		t.Errorf("status %d: %v", got.status, err)
	}
	begins := map[int]string{307: "http://localhost:3333/", 201: api.Root + "/sandboxes/"}[got.status]
	if location := got.header.Get("Location"); location != "" && (begins == "" || !strings.HasPrefix(location, begins)) || location == "" && got.status == 307 {
		t.Errorf("status %d with the Location %q", got.status, location)
	}
}

// unlimited makes a server whose rate limits are never reached.
func unlimited(t testing.TB) (*Server, *Sandbox) {
	t.Helper()
	often := Rate{PerSecond: 1e12, Burst: 1 << 40}
	return serverWith(t, Config{Limits: Limits{Verdicts: often, Reports: often, Requests: often, API: often}})
}

// An awaitedContext ends when somebody begins to wait for its end. So a stream answers with
// what is there, and everything else runs to its end.
type awaitedContext struct {
	context.Context
	awaited atomic.Bool
}

// over is a closed channel.
var over = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (c *awaitedContext) Done() <-chan struct{} {
	c.awaited.Store(true)
	return over
}

func (c *awaitedContext) Err() error {
	if c.awaited.Load() {
		return context.Canceled
	}
	return nil
}

// named replaces ID, TOKEN, SECRET, and APIKEY in a fuzzer's text with the sandbox's id,
// token, and secret, and the API's token. So the fuzzer gets past the guards that need them.
func named(sandbox *Sandbox, text string) string {
	return strings.NewReplacer("ID", sandbox.ID(), "TOKEN", sandbox.token, "SECRET", sandbox.secret, "CONTENTSKEY", sandbox.key, "APIKEY", sandbox.server.ownToken, "PREFIX", protocol.Prefix).Replace(text)
}
