package sandbox

import (
	"testing"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// What a warm sandbox has is replaced as a whole or not at all. Here there is no room for what the
// files are compiled to.
func TestFailedFillLeavesTheSandboxWarm(t *testing.T) {
	r := newTestRegistry(t, Config{Limits: Limits{StoreBytes: 800}, Compiler: compile.New(compile.InProcess{})})
	snapshot := func(files map[string][]byte) *vfs.Snapshot {
		t.Helper()
		s, err := r.Store().Snapshot(files, vfs.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	sb, err := r.Create(Spec{Files: snapshot(nil), Warm: true, Name: "before", Labels: map[string]string{"a": "b"}, TTL: time.Hour}, nil)
	if err != nil {
		t.Fatal(err)
	}
	expires := sb.Expires()
	filling := Filling{Files: snapshot(map[string][]byte{"/a.ts": []byte("export const a: number = 1")}), Name: "after", Fallback: "/a.ts", Labels: map[string]string{"c": "d"}, TTL: time.Minute, Keep: true}
	if revision, err := sb.Fill(filling); err == nil {
		t.Fatalf("there is room for revision %d", revision)
	}
	if v, _ := sb.Version(); !v.Warm || v.Revision != 1 || sb.Name() != "before" || sb.Labels()["a"] != "b" || sb.Fallback() != "" || sb.Kept() || sb.Expires() != expires {
		t.Errorf("it is %+v, named %s, with the labels %v and the fallback %s, kept: %t, until %v", v, sb.Name(), sb.Labels(), sb.Fallback(), sb.Kept(), sb.Expires())
	}
	filling = Filling{Files: snapshot(map[string][]byte{"/a.txt": []byte("a")}), Name: "after"}
	if _, err := sb.Fill(filling); err != nil {
		t.Fatal(err)
	}
	if sb.Name() != "after" || len(sb.Labels()) != 0 || !sb.Expires().IsZero() {
		t.Errorf("filled, it is named %s, with the labels %v, until %v", sb.Name(), sb.Labels(), sb.Expires())
	}
}

// Files fill a warm sandbox, whichever call brings them. A change without files does not.
func TestAnyFilesFill(t *testing.T) {
	r := newTestRegistry(t, Config{})
	files, err := r.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := r.Create(Spec{Files: files, Warm: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		edit Edit
		warm bool
	}{
		{Edit{}, true},
		{Edit{Policy: &rules.Policy{}}, true},
		{Edit{Files: []vfs.Change{vfs.Put("/a", nil)}, Policy: &rules.Policy{}}, false},
	} {
		if _, err := sb.Edit(step.edit); err != nil {
			t.Fatal(err)
		}
		if v, _ := sb.Version(); v.Warm != step.warm {
			t.Errorf("after %+v, warm is %t", step.edit, v.Warm)
		}
	}
}
