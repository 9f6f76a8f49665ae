package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/vfs"
)

func pointer[T any](value T) *T { return &value }

// An update is made as a whole or not at all, and is not a revision.
func TestUpdate(t *testing.T) {
	r := newTestRegistry(t, Config{})
	sb := mustCreate(t, r)
	many := map[string]*string{}
	for i := range mostLabels {
		many[fmt.Sprint("key", i)] = pointer("v")
	}
	for _, row := range []struct {
		name   string
		update Update
		field  string // of the SpecError, "" if it is made
	}{
		{"nothing", Update{}, ""},
		{"all", Update{Name: pointer("a"), Entry: pointer("/a.txt"), TTL: pointer(time.Hour), Labels: map[string]*string{"team": pointer("x"), "tag": pointer("")}}, ""},
		{"a label goes", Update{Labels: map[string]*string{"tag": nil, "none": nil}}, ""},
		{"no entry", Update{Name: pointer("b"), Entry: pointer("")}, "entry"},
		{"a negative TTL", Update{Name: pointer("b"), TTL: pointer(-time.Second)}, "ttl"},
		{"a bad key", Update{Name: pointer("b"), Labels: map[string]*string{"Team": pointer("y")}}, "labels"},
		{"a bad value", Update{Name: pointer("b"), Labels: map[string]*string{"team": pointer("a\nb")}}, "labels"},
		{"too many labels", Update{Name: pointer("b"), Labels: many}, "labels"},
	} {
		err := sb.Update(row.update)
		if wrong, is := errors.AsType[*SpecError](err); is != (row.field != "") || is && wrong.Field != row.field || !is && err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if want := map[string]string{"team": "x"}; sb.Name() != "a" || sb.Entry() != "/a.txt" || !maps.Equal(sb.Labels(), want) || sb.Revision() != 1 {
		t.Errorf("it has the name %q, the entry %q, the labels %v and the revision %d", sb.Name(), sb.Entry(), sb.Labels(), sb.Revision())
	}
	if left := time.Until(sb.Expires()); left < 59*time.Minute || left > time.Hour {
		t.Errorf("it expires in %s", left)
	}
	if stale, is := errors.AsType[*StaleError](sb.Update(Update{At: 2, Name: pointer("b")})); !is || stale.Revision != 1 || sb.Name() != "a" {
		t.Errorf("at another revision: %v, and the name %q", stale, sb.Name())
	}
	r.Remove(sb.ID())
	if err := sb.Update(Update{Name: pointer("b")}); !errors.Is(err, ErrRemoved) {
		t.Errorf("of a removed sandbox: %v", err)
	}
}

// The time that was set last holds, and none holds after 0.
func TestUpdateOfTheTTL(t *testing.T) {
	inBubble(t, Config{}, 3, func(t *testing.T, r *Registry, boxes []*Sandbox) {
		for i, ttls := range [][]time.Duration{{time.Minute}, {time.Minute, 3 * time.Minute}, {time.Minute, 0}} {
			for _, ttl := range ttls {
				if err := boxes[i].Update(Update{TTL: &ttl}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, row := range []struct {
			after time.Duration
			want  []bool
		}{{59 * time.Second, []bool{true, true, true}}, {2 * time.Second, []bool{false, true, true}}, {2 * time.Minute, []bool{false, false, true}}} {
			pass(row.after)
			var alive []bool
			for _, sb := range boxes {
				alive = append(alive, r.Get(sb.ID()) != nil)
			}
			if !slices.Equal(alive, row.want) {
				t.Errorf("%s later %v are alive, want %v", row.after, alive, row.want)
			}
		}
	})
}

// A page has those sandboxes that have all labels, and goes on where the last one ended.
func TestListByLabels(t *testing.T) {
	r := newTestRegistry(t, Config{})
	files, err := r.Store().Snapshot(map[string][]byte{"/index.html": nil}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		labels := map[string]string{"number": fmt.Sprint(i)}
		if i%2 == 0 {
			labels["even"] = ""
		}
		if _, err := r.Create(Spec{Name: fmt.Sprint(i), Files: files, Labels: labels}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		labels string
		limit  int
		want   string
	}{
		{"", 0, "0123456789"}, {"", 3, "0123456789"}, {"even", 2, "02468"}, {"even=", 1, "02468"}, {"even=x", 1, ""},
		{"number=3", 5, "3"}, {"even number=3", 5, ""}, {"even number=4", 5, "4"}, {"number", 4, "0123456789"}, {"none", 0, ""},
	} {
		var labels []Label
		for text := range strings.FieldsSeq(row.labels) {
			label, err := ParseLabel(text)
			if err != nil {
				t.Fatal(err)
			}
			labels = append(labels, label)
		}
		got := ""
		for page := (Page{Limit: row.limit, Labels: labels}); ; {
			list := r.List(page)
			for _, sb := range list {
				got, page.After = got+sb.Name(), sb.Number()
			}
			if len(list) == 0 || row.limit == 0 {
				break
			}
		}
		if got != row.want {
			t.Errorf("with %q, %d at once: %q, want %q", row.labels, row.limit, got, row.want)
		}
	}
	for _, text := range []string{"", "=", "=a", "Key", "a b", "-a", "a-", strings.Repeat("a", 64), "a=\n", "a=" + strings.Repeat("b", 201)} {
		if label, err := ParseLabel(text); err == nil {
			t.Errorf("%q is read as %+v", text, label)
		}
	}
}
