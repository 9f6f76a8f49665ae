package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Labels, pages and patches over HTTP. What they mean is tested in package sandbox.
func TestLabelsByTheHTTPAPI(t *testing.T) {
	a := startAPI(t, Config{})
	ask := func(method, path, body string, into any) response {
		t.Helper()
		got := a.send(a.call(method, path, body), nil)
		if got.status < 300 {
			if err := json.Unmarshal([]byte(got.body), into); err != nil {
				t.Fatalf("%s %s: %v: %s", method, path, err, got.body)
			}
		}
		return got
	}
	var made [5]Info
	for i := range made {
		body := fmt.Sprintf(`{"name":"%d","labels":{"team":"%s"}}`, i, []string{"a", "b"}[i%2])
		if got := ask("POST", "/sandboxes", body, &made[i]); got.status != http.StatusCreated || made[i].Labels["team"] == "" {
			t.Fatalf("status %d: %s", got.status, got.body)
		}
	}
	listed := func(query string) string {
		t.Helper()
		names, after, pages := "", "", 0
		for {
			var list SandboxList
			if got := ask("GET", "/sandboxes?"+query+after, "", &list); got.status != http.StatusOK {
				t.Fatalf("%s: status %d: %s", query, got.status, got.body)
			}
			for _, info := range list.Sandboxes {
				names += info.Name
			}
			pages++
			if list.Next == "" {
				return fmt.Sprintf("%s in %d", names, pages)
			}
			after = "&after=" + list.Next
		}
	}
	for query, want := range map[string]string{
		"": "01234 in 1", "limit=2": "01234 in 3", "limit=5": "01234 in 1", "label=team=a&limit=2": "024 in 2", "label=team=b": "13 in 1", "label=team": "01234 in 1", "label=none": " in 1",
	} {
		if got := listed(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	var patched Info
	got := ask("PATCH", "/sandboxes/"+made[0].ID, `{"name":"new","labels":{"team":null,"job":"7"}}`, &patched)
	if got.status != http.StatusOK || patched.Name != "new" || fmt.Sprint(patched.Labels) != "map[job:7]" || patched.Revision != 1 || got.header.Get("ETag") != `"1"` {
		t.Errorf("the patch: status %d: %s", got.status, got.body)
	}
	if got := listed("label=team=a"); got != "24 in 1" {
		t.Errorf("after it: %s", got)
	}
	if got := a.send(a.call("PATCH", "/sandboxes/"+made[1].ID, `{"name":"new"}`).with("If-Match", `"2"`), nil); got.status != http.StatusPreconditionFailed {
		t.Errorf("at another revision: status %d", got.status)
	}
	for body, pointer := range map[string]string{`{"labels":{"A":"x"}}`: "/labels", `{"entry":"x"}`: "/entry", `{"ttl":-1}`: "/ttl", `{"name":"a\u0000"}`: "/name"} {
		got := a.send(a.call("PATCH", "/sandboxes/"+made[1].ID, body), nil)
		if p := problemIn(t, got); p.Code != "bad-field" || p.Pointer != pointer {
			t.Errorf("%s: %s at %s", body, p.Code, p.Pointer)
		}
	}
	for _, query := range []string{"limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "after=x", "after=-1", "label=", "label=Team", "label=a%00"} {
		got := a.send(a.call("GET", "/sandboxes?"+query, ""), nil)
		if p := problemIn(t, got); p.Code != "bad-parameter" || !strings.HasSuffix(p.Detail, ".") {
			t.Errorf("%s: %s %q", query, p.Code, p.Detail)
		}
	}
}
