package compile

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// said waits for a console line with the prefix, and returns the rest of it. An error
// of the newest revision ends the wait, too.
func said(t *testing.T, g *glass.Server, sandbox *server.Sandbox, prefix string) string {
	t.Helper()
	events := g.Log(t, sandbox, func(e glass.Logged) bool {
		return e.Type == "console" && strings.HasPrefix(e.Text, prefix) || e.Type == "error" && e.Revision >= sandbox.Revision()
	})
	return strings.TrimPrefix(events[len(events)-1].Text, prefix)
}

// put changes a file.
func put(t *testing.T, to *server.Sandbox, path, text string) sandbox.Edited {
	t.Helper()
	edited, err := to.Edit(sandbox.Edit{Files: []vfs.Change{vfs.Put(path, []byte(text))}})
	if err != nil {
		t.Fatal(err)
	}
	return edited
}
