package load

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/apps"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// Real applications, as their authors publish them, run from virtual files under the narrowest
// policy that they work with.
func TestApplications(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	outside := canary.Start(t)
	address := fmt.Sprintf("127.0.0.1:%d", outside.Port())
	outside.Answer("/swagger-ui-allowed/openapi.json", canary.Answer{
		Header: map[string][]string{"Access-Control-Allow-Origin": {"*"}, "Content-Type": {"application/json"}},
		Body: `{"openapi":"3.0.0","info":{"title":"Bell foundry","version":"1"},"paths":{"/bells":{"get":` +
			`{"summary":"All bells","responses":{"200":{"description":"ok"}}}}}}`,
	})
	for _, app := range apps.All() {
		t.Run(app.Name, func(t *testing.T) {
			t.Parallel()
			// By then the application's page is closed, so its requests have arrived.
			t.Cleanup(func() { checkAsked(t, outside, app) })
			runApplication(t, g, app, address)
		})
	}
}

// checkAsked compares the application's requests to the outside server with the expected ones.
func checkAsked(t *testing.T, outside *canary.Canary, app apps.App) {
	ctx, cancel := context.WithTimeout(context.Background(), browser.Patience)
	defer cancel()
	if err := outside.Quiesce(ctx); err != nil {
		t.Error(err)
	}
	var paths []string
	for _, hit := range outside.Hits(app.Name) {
		paths = append(paths, hit.Path)
	}
	if diff := cmp.Diff(app.Asked, paths); diff != "" {
		t.Errorf("the server outside was asked for (-want +got):\n%s", diff)
	}
}

func runApplication(t *testing.T, g *glass.Server, app apps.App, outside string) {
	contents, err := app.Contents(outside)
	if err != nil {
		t.Fatal(err)
	}
	files, err := g.Store().Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := g.Create(server.Spec{Name: app.Name, Files: files, Policy: glass.Parse(t, app.Policy(outside))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Remove(sandbox.ID()) })

	v := g.Open(t, "localhost", sandbox)
	frame := v.Frame()
	for _, step := range app.Do {
		if step.Click != "" {
			err = frame.Locator(step.Click).Click()
		} else if err = frame.Locator(step.Into).Focus(); err == nil {
			err = v.Page.Keyboard().Type(step.Type)
		}
		if err != nil {
			t.Fatalf("%+v: %v", step, err)
		}
	}
	for _, sight := range app.See {
		// Contained in the text, because the shown text has additional spaces and line breaks.
		if err := browser.Expect(frame.Locator(sight.Selector)).ToContainText(sight.Text); err != nil {
			t.Errorf("%s: %v", sight.Selector, err)
		}
	}
	var blocked []string
	for _, target := range app.Blocked {
		blocked = append(blocked, strings.ReplaceAll(target, apps.Outside, outside))
	}
	if diff := cmp.Diff(blocked, blockedBy(t, v, sandbox, blocked)); diff != "" {
		t.Errorf("blocked attempts in the log (-want +got):\n%s", diff)
	}
}

// blockedBy returns the targets of all blocked attempts in the sandbox's log, each once and
// sorted. It fails the test for an uncaught error. It waits for the expected targets, because
// the browser may report a worker's blocks late.
func blockedBy(t testing.TB, v *glass.View, sandbox *server.Sandbox, expected []string) []string {
	t.Helper()
	// The worker's and the page's reports of these two follow all their other reports.
	const end = "/end-of-the-log"
	v.Eval(fmt.Sprintf("() => fetch(%q).then(() => console.info(%q))", end, end))
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	targets := map[string]bool{}
	worker, page := false, false
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			t.Errorf("the log lacks its end, or an attempt: %v", err)
			break
		}
		switch e := event.(type) {
		case protocol.VerdictEvent:
			worker = worker || strings.HasSuffix(e.URL, end)
			if e.Action == protocol.ActionBlock {
				targets[e.URL] = true
			}
		case protocol.ViolationEvent:
			targets[e.Target] = true
		case protocol.ErrorEvent:
			t.Errorf("uncaught error: %s\n%s", e.Text, e.Stack)
		case protocol.ConsoleEvent:
			page = page || e.Text == end
		}
		isMissing := func(target string) bool { return !targets[target] }
		if worker && page && !slices.ContainsFunc(expected, isMissing) {
			break
		}
	}
	return slices.Sorted(maps.Keys(targets))
}
