package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// A report of a place in a script names the place in its source.
func TestReportsNameTheSource(t *testing.T) {
	r, err := NewRegistry(Config{Addresses: func(id string) Addresses { return Addresses{URL: "http://" + id + ".test"} }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.End()
	const source = "interface Long {\n  a: string\n}\n\n\tthrow new Error('here')\n"
	files, err := r.Store().Snapshot(map[string][]byte{"/a b.ts": []byte(source), "/plain.js": []byte("1")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := r.Create(Spec{Files: files}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := sb.Version()
	entry, _ := v.Served.Lookup(compile.ScriptPath("/a b.ts"))
	blob, _ := v.Served.Blob(entry.Hash)
	script, _ := blob.Bytes()
	line, col := 0, 0
	for i, text := range strings.Split(string(script), "\n") {
		if at := strings.Index(text, "throw"); at >= 0 {
			line, col = i+1, at+1
			break
		}
	}
	if line == 0 || line == 5 {
		t.Fatalf("the script has its throw in line %d:\n%s", line, script)
	}
	own := sb.URL() + "/a%20b.ts"
	for _, row := range []struct {
		url       string
		line, col int
	}{
		{own, 5, 2}, {own + "?v=1", 5, 2}, {sb.URL() + "/plain.js", line, col}, {"http://other.test/a%20b.ts", line, col},
	} {
		sb.recordError(protocol.ErrorReport{
			Text: "here", Place: protocol.Place{URL: row.url, Line: line, Col: col},
			Stack: fmt.Sprintf("Error: here\n    at f (%[1]s:%[2]d:%[3]d)\nf@%[1]s:%[2]d:%[3]d", row.url, line, col),
		}, reporter{})
		event := lastError(t, sb)
		if want := (protocol.Place{URL: row.url, Line: row.line, Col: row.col}); event.Place != want {
			t.Errorf("the place is %+v, want %+v", event.Place, want)
		}
		want := fmt.Sprintf("Error: here\n    at f (%[1]s:%[2]d:%[3]d)\nf@%[1]s:%[2]d:%[3]d", row.url, row.line, row.col)
		if event.Stack != want {
			t.Errorf("the stack is\n%s\nwant\n%s", event.Stack, want)
		}
	}
}

// A faulty source's error names the place of the mistake, wherever its module throws it.
func TestFaultySourceNamesTheMistake(t *testing.T) {
	r, err := NewRegistry(Config{Addresses: func(id string) Addresses { return Addresses{URL: "http://" + id + ".test"} }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.End()
	files, err := r.Store().Snapshot(map[string][]byte{"/a.ts": []byte("let fine\nlet x = ;\n")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := r.Create(Spec{Files: files}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []int{1, 5, 20} {
		if at := sb.original(protocol.Place{URL: sb.URL() + "/a.ts", Line: line, Col: 3}); at.Line != 2 || at.Col != 9 {
			t.Errorf("line %d of the module is %+v in the source, want line 2, column 9", line, at)
		}
	}
}

func lastError(t *testing.T, sb *Sandbox) protocol.ErrorEvent {
	t.Helper()
	entries, _ := sb.log.read(0)
	event, ok := entries[len(entries)-1].Event().(protocol.ErrorEvent)
	if !ok {
		t.Fatalf("the last event is %+v", entries[len(entries)-1].Event())
	}
	return event
}
