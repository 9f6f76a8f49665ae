package escape

import (
	"slices"
	"strings"
	"testing"
)

// published are the published break-outs of sandboxes with the same aims. Each has a
// row of that name.
var published = []string{
	"weaker-policy", "worker-tampering", "storage-sharing", "websocket", "outer-messages",
	"protocol-handlers", "data-navigation", "session-exhaustion", "monkey-patch", "base-hijack",
}

func TestRowsAreThere(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	const least = 600
	if len(rows) < least {
		t.Errorf("there are %d rows; %d are the least", len(rows), least)
	}
	for _, name := range published {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Name == "breakout/"+name }) {
			t.Errorf("there is no row breakout/%s", name)
		}
	}
	for _, r := range rows {
		if strings.Trim(r.Name, "abcdefghijklmnopqrstuvwxyz0123456789-/") != "" {
			t.Errorf("%s: a name is lower-case words with hyphens between", r.Name)
		}
	}
}

func TestReadRow(t *testing.T) {
	got, err := readRow(Row{}, "// A link\n// is hovered.\n// @gesture: hover\n// @control: none in firefox webkit, nothing is looked up ahead\nexport default 1 // @leaves: no\n")
	if err != nil || got.About != "A link is hovered." || !got.Alone || got.Leaves || got.Gesture != "hover" ||
		got.Without[Chromium] != "" || got.Without[Firefox] != "nothing is looked up ahead" || got.Without[WebKitGTK] == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, wrong := range []string{
		"export default 1", "// @alone: why\n", "// a\n// @alone:\n", "// a\n// @aloan: why\n", "// a\n// @gesture: wave\n",
		"// a\n// @control: some, why\n", "// a\n// @control: none\n", "// a\n// @control: none in, why\n", "// a\n// @control: none in netscape, why\n",
	} {
		if got, err := readRow(Row{}, wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, got)
		}
	}
}

// Rows of one family share a page, except those that must be alone.
func TestBatches(t *testing.T) {
	rows := []Row{{Family: "b", Name: "b/1"}, {Family: "a", Name: "a/2", Alone: true}}
	for i := range room + 1 {
		rows = append(rows, Row{Family: "a", Name: "a/" + string(rune('b'+i))})
	}
	var sizes []int
	for _, b := range Batches(rows) {
		sizes = append(sizes, len(b.Rows))
		for _, r := range b.Rows {
			if r.Family != b.Rows[0].Family || len(b.Rows) > 1 && r.Alone {
				t.Errorf("%s is in a batch with %s", r.Name, b.Rows[0].Name)
			}
		}
	}
	if !slices.Equal(sizes, []int{room, 1, 1, 1}) {
		t.Errorf("the batches have %v rows", sizes)
	}
}
