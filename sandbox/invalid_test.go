package sandbox

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A page can invalidate a module once for each change of a file, and only if the module has been
// replaced. The importers then accept the change.
func TestInvalidModules(t *testing.T) {
	r := newTestRegistry(t, Config{Compiler: compile.New(compile.InProcess{})})
	const accepts = "\nimport.meta.hot?.accept()"
	files, err := r.Store().Snapshot(map[string][]byte{
		"/main.ts": []byte("import './a'; import './c'"), "/a.ts": []byte("import './b'" + accepts), "/b.ts": []byte("1" + accepts), "/c.ts": []byte("1" + accepts),
	}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := r.Create(Spec{Files: files, Entry: "/main.ts"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		if _, err := sb.Edit(Edit{Files: []vfs.Change{vfs.Put(path, []byte(text+accepts))}}); err != nil {
			t.Fatal(err)
		}
	}
	// invalid reports a module as invalid, and returns the module updates of the next event.
	invalid := func(path string) string {
		t.Helper()
		before, changed := sb.Version()
		sb.RecordReports("", []json.RawMessage{[]byte(fmt.Sprintf(`{"kind":"invalidate","path":%q}`, path))}, 0)
		if !before.Modules.CanBeInvalid(path) {
			return "refused"
		}
		<-changed
		for event, err := range sb.Events(t.Context(), EventFilter{}, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := event.(protocol.LifecycleEvent); ok && e.Revision == before.Revision+1 {
				if e.Files == nil || e.Files.Changed.Count != 0 {
					t.Fatalf("the event says %+v of files", e.Files)
				}
				if e.Files.Modules == nil {
					return "load"
				}
				return fmt.Sprint(e.Files.Modules.Updates)
			}
		}
		return ""
	}
	for _, path := range []string{"/b.ts", "/main.ts", "/none.ts", ""} {
		if got := invalid(path); got != "refused" {
			t.Errorf("%q, which was not replaced: %s", path, got)
		}
	}
	put("/b.ts", "import './x'; 2")
	if got := invalid("/b.ts"); got != "[{/a.ts /a.ts /a.ts?t=3 false}]" {
		t.Errorf("the importer: %s", got)
	}
	if got := invalid("/b.ts"); got != "refused" {
		t.Errorf("reported twice: %s", got)
	}
	if got := invalid("/a.ts"); got != "load" {
		t.Errorf("the importer is invalid, too: %s", got)
	}
	// A client's precondition still holds: page code has changed nothing that the client has read.
	if v, _ := sb.Version(); v.Revision != 4 {
		t.Fatalf("it is revision %d", v.Revision)
	}
	if _, err := sb.Edit(Edit{At: 1, Files: []vfs.Change{vfs.Put("/x.ts", nil)}}); err == nil {
		t.Error("an edit for revision 1 succeeds at revision 4")
	}
	if err := sb.Update(Update{At: 2}); err != nil {
		t.Error(err)
	}
	put("/b.ts", "3")
	if got := invalid("/b.ts"); got != "[{/a.ts /a.ts /a.ts?t=6 false}]" {
		t.Errorf("after another change: %s", got)
	}
}
