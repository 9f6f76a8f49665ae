package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// logPage is a page as a client decodes it.
type logPage struct {
	Events []told
	Last   int64
	More   bool
}

// Pages of any size make up the whole log in its order. Each filter works as it does on the
// stream.
func TestLogIsReadInPages(t *testing.T) {
	a := startAPI(t, Config{Limits: Limits{API: Rate{PerSecond: 1_000, Burst: 10_000}}})
	sandbox := a.sandbox() // event 1
	for i := range 1_200 { // more than a page has by default
		level := "log"
		if i%3 == 0 {
			level = "error"
		}
		sandbox.RecordReports("", []json.RawMessage{fmt.Appendf(nil, `{"kind":"console","level":%q,"text":"%d"}`, level, i)}, 0)
	}
	read := func(query string) (page logPage) {
		t.Helper()
		got := a.send(a.call("GET", "/sandboxes/ID/log"+query, ""), sandbox)
		if err := json.Unmarshal([]byte(got.body), &page); got.status != http.StatusOK || err != nil {
			t.Fatalf("%s: status %d: %v: %.300s", query, got.status, err, got.body)
		}
		return page
	}
	for _, row := range []struct {
		query string
		want  func(told) bool
		pages int
	}{
		{"", func(told) bool { return true }, 2},
		{"&limit=7", func(told) bool { return true }, 172},
		{"&limit=1201", func(told) bool { return true }, 1},
		{"&limit=100&level=error", func(e told) bool { return e.Level == "error" }, 4},
		{"&type=verdict", func(told) bool { return false }, 1},
	} {
		var ids, want []int64
		pages := 0
		for last, more := int64(0), true; more; pages++ {
			page := read(fmt.Sprintf("?after=%d%s", last, row.query))
			for _, e := range page.Events {
				ids = append(ids, e.ID)
			}
			last, more = page.Last, page.More
			if !more && last != 1_201 {
				t.Errorf("%s: the last page ends at %d", row.query, last)
			}
		}
		for _, e := range read("?limit=10000").Events {
			if row.want(e) {
				want = append(want, e.ID)
			}
		}
		if !slices.Equal(ids, want) || pages != row.pages {
			t.Errorf("%s: %d pages with %d events, want %d with %d", row.query, pages, len(ids), row.pages, len(want))
		}
	}
	// Later events are on the next page.
	files, err := a.Store().Snapshot(map[string][]byte{"/a.html": nil}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(files); err != nil {
		t.Fatal(err)
	}
	if next := read("?after=1201"); len(next.Events) != 1 || next.Events[0].Step != "files" || next.Last != 1_202 || next.More {
		t.Errorf("after a change: %+v", next)
	}
	for _, query := range []string{"?limit=0", "?limit=-1", "?limit=10001", "?limit=x", "?limit=", "?limit=1&limit=2", "?type=none", "?lim=1"} {
		if got := a.send(a.call("GET", "/sandboxes/ID/log"+query, ""), sandbox); got.status != http.StatusBadRequest {
			t.Errorf("%s: status %d", query, got.status)
		}
	}
}

// Generators of clients get the document without a token. A page of another origin does not
// get it.
func TestDocumentIsPublic(t *testing.T) {
	a := startAPI(t, Config{})
	got := a.send(a.call("GET", "/openapi.json", "").with("Authorization", ""), nil)
	if got.status != http.StatusOK || got.body != string(api.OpenAPI) {
		t.Errorf("status %d: %.300s", got.status, got.body)
	}
	if got := a.send(a.call("GET", "/openapi.json", "").with("Authorization", "", "Sec-Fetch-Site", "cross-site"), nil); got.status != http.StatusForbidden {
		t.Errorf("a page of another origin: status %d", got.status)
	}
}
