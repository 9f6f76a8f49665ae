package library

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// grantsPage reports what the document may do. It lists the features that the browser lets it
// use, and the outcome of two actions that need no user.
const grantsPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Grants</title><script>
globalThis.tell = (features) => {
	let pads
	try { navigator.getGamepads(); pads = 'read' } catch (error) { pads = error.name }
	alert('asked')
	return features.filter((name) => document.featurePolicy.allowsFeature(name)).join() + ' ' + pads
}
</script>`

// A sandbox can use what it was granted, wherever an embedder hands the grant on to it, and
// nothing else.
func TestGrants(t *testing.T) {
	t.Parallel()
	embedder := glass.ServePage(t, func(r *http.Request) string {
		src, allow := html.EscapeString(r.FormValue("src")), html.EscapeString(r.FormValue("allow"))
		if library := r.FormValue("library"); library != "" {
			return fmt.Sprintf(`<!doctype html><title>Element</title><script type="module" src="%s"></script><bellglass-sandbox src="%s" allow="%s"></bellglass-sandbox>`, html.EscapeString(library), src, allow)
		}
		return fmt.Sprintf(`<!doctype html><title>Frame</title><iframe src="%s" allow="%s"></iframe>`, src, allow)
	})
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{embedder} })
	made := func(flags, permissions []string) *server.Sandbox {
		sandbox, err := g.Create(server.Spec{
			Files: g.Files(t, map[string]string{"/index.html": grantsPage}), Policy: glass.Parse(t, glass.AllScripts),
			Flags: flags, Permissions: permissions, Keep: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return sandbox
	}
	// The server's root shows the first sandbox.
	some := made([]string{"allow-modals"}, []string{"gamepad", "clipboard-write"})
	none := made(nil, nil)
	grantable := firewall.Grantable()
	every := made(grantable.Flags, grantable.Permissions)
	handedOn := strings.Join(append(grantable.Permissions, "usb", "serial", "midi"), "; ")
	for _, row := range []struct {
		name        string
		sandbox     *server.Sandbox
		url         string // of the page, if it is not the embedder's
		library     bool
		allow       string
		permissions []string
		modals      int64
	}{
		{name: "host page", sandbox: some, url: some.HostURL(), permissions: []string{"clipboard-write", "gamepad"}, modals: 1},
		{name: "the server's root", sandbox: some, url: fmt.Sprintf("http://localhost:%d/", g.Port), permissions: []string{"clipboard-write", "gamepad"}, modals: 1},
		{name: "host page of one with all", sandbox: every, url: every.HostURL(), permissions: grantable.Permissions, modals: 1},
		{name: "host page of one with none", sandbox: none, url: none.HostURL()},
		{name: "frame that hands all on", sandbox: some, allow: handedOn, permissions: []string{"clipboard-write", "gamepad"}, modals: 1},
		{name: "frame that hands one on", sandbox: some, allow: "gamepad; usb", permissions: []string{"gamepad"}, modals: 1},
		// A browser hands these two on to each frame that is not denied them.
		{name: "frame that hands nothing on", sandbox: every, permissions: []string{"gamepad", "picture-in-picture"}, modals: 1},
		{name: "frame of one with none", sandbox: none, allow: handedOn},
		{name: "element that hands all on", sandbox: some, library: true, allow: handedOn, permissions: []string{"clipboard-write", "gamepad"}, modals: 1},
		{name: "element that hands nothing on", sandbox: some, library: true, permissions: []string{"gamepad"}, modals: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			page := glass.NewPage(t)
			var modals atomic.Int64
			page.OnDialog(func(d playwright.Dialog) {
				modals.Add(1)
				if err := d.Accept(); err != nil {
					t.Error(err)
				}
			})
			shown := row.url
			if shown == "" {
				query := url.Values{"src": {row.sandbox.OuterURL()}, "allow": {row.allow}}
				if row.library {
					query.Set("library", g.LibraryURL())
				}
				shown = embedder + "/?" + query.Encode()
			}
			if _, err := page.Goto(shown); err != nil {
				t.Fatal(err)
			}
			frame := glass.NewView(t, page, row.sandbox.URL()).Frame()
			if _, err := frame.WaitForFunction(`() => typeof tell === 'function'`, nil); err != nil {
				t.Fatal(err)
			}
			asked := glass.Literal(t, append(slices.Clone(grantable.Permissions), "usb", "serial", "hid", "midi", "payment", "display-capture"))
			got, err := glass.Evaluate(frame, "() => tell("+asked+")")
			pads := "SecurityError"
			if slices.Contains(row.permissions, "gamepad") {
				pads = "read"
			}
			if want := strings.Join(row.permissions, ",") + " " + pads; err != nil || got != want {
				t.Errorf("the document may use %v, %v; want %s", got, err, want)
			}
			if n := modals.Load(); n != row.modals {
				t.Errorf("it put up %d dialogs, want %d", n, row.modals)
			}
		})
	}
}

// A grant that is not possible is rejected, and no sandbox is created.
func TestGrantsAreRefused(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	before := len(g.Sandboxes())
	for field, spec := range map[string]server.Spec{
		"flags":       {Files: g.Files(t, nil), Flags: []string{"allow-modals", "allow-top-navigation"}},
		"permissions": {Files: g.Files(t, nil), Permissions: []string{"camera", "usb"}},
	} {
		if _, err := g.Create(spec); err == nil || !strings.Contains(err.Error(), "cannot be granted; those that can are") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if n := len(g.Sandboxes()); n != before {
		t.Errorf("there are %d sandboxes, not %d", n, before)
	}
}
