package server

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// A key makes one sandbox, however many requests use it at once. Another key or another token
// makes another one, and another body is refused.
func TestIdempotencyKeys(t *testing.T) {
	const other = "another-token-of-the-test"
	a := startAPI(t, Config{Tokens: []string{other}})
	create := func(key, body string) call {
		return a.call("POST", "/sandboxes", body).with("Idempotency-Key", key)
	}
	ids := make(chan string, 20)
	var group sync.WaitGroup
	for range cap(ids) {
		group.Go(func() { ids <- answered[Info](t, a.send(create("k", `{"name":"a"}`), nil), 201).ID })
	}
	group.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("the key made %s and %s", first, id)
		}
	}
	if p := problemIn(t, a.send(create("k", `{"name":"b"}`), nil)); p.Code != "key-reused" {
		t.Errorf("another body: %+v", p)
	}
	// A refused request is not remembered.
	if p := problemIn(t, a.send(create("l", `{"entry":"x"}`), nil)); p.Code != "bad-field" {
		t.Errorf("%+v", p)
	}
	got := a.send(create("l", `{"entry":"/x"}`), nil)
	second := answered[Info](t, got, 201)
	if second.ID == first || second.Entry != "/x" || got.header.Get("Location") != api.Root+"/sandboxes/"+second.ID || got.header.Get("ETag") != `"1"` {
		t.Errorf("%+v with %v", second, got.header)
	}
	// A key belongs to its token.
	if third := answered[Info](t, a.send(create("k", `{"name":"b"}`).with("Authorization", "Bearer "+other), nil), 201); third.ID == first {
		t.Error("another token is given the same sandbox")
	}
	// A removed sandbox is not made again.
	a.Remove(first)
	if p := problemIn(t, a.send(create("k", `{"name":"a"}`), nil)); p.Code != "sandbox-removed" {
		t.Errorf("after the removal: %+v", p)
	}
	if n := len(a.Sandboxes()); n != 2 {
		t.Errorf("there are %d sandboxes", n)
	}
}

// A time to live ends a sandbox even if it is kept and viewed.
func TestTimeToLive(t *testing.T) {
	inBubble(t, Config{}, 0, func(t *testing.T, s *Server, _ []*Sandbox) {
		a := &apiServer{Server: s, t: t}
		info := answered[Info](t, a.ask(a.call("POST", "/sandboxes", `{"ttl":60,"keep":true}`)), 201)
		if info.Expires == nil || !info.Expires.Equal(info.Created.Add(time.Minute)) || !info.Keep {
			t.Errorf("%+v", info)
		}
		lasting := answered[Info](t, a.ask(a.call("POST", "/sandboxes", `{}`)), 201)
		if lasting.Expires != nil {
			t.Errorf("%+v", lasting)
		}
		defer follow(t, s, s.Sandbox(info.ID).as("GET", "/events", ""))()
		pass(59 * time.Second)
		if s.Sandbox(info.ID) == nil {
			t.Error("it ended too early")
		}
		pass(time.Second)
		if s.Sandbox(info.ID) != nil || s.Sandbox(lasting.ID) == nil {
			t.Error("the wrong one has ended")
		}
		s.Remove(lasting.ID)
		synctest.Wait()
	})
}

// HEAD answers with the headers of GET. A revision that the client has is not sent again.
func TestConditionalReading(t *testing.T) {
	a := startAPI(t, Config{})
	sandbox := a.sandbox()
	for _, path := range []string{"", "/files", "/files/index.html", "/policy"} {
		get := a.call("GET", "/sandboxes/ID"+path, "")
		head := get
		head.method = "HEAD"
		whole, short := a.send(get, sandbox), a.send(head, sandbox)
		if whole.status != 200 || short.status != 200 || short.body != "" || whole.body == "" || whole.header.Get("ETag") != `"1"` {
			t.Errorf("%s: %d and %d %q with the ETag %s", path, whole.status, short.status, short.body, whole.header.Get("ETag"))
		}
		for _, name := range []string{"Content-Type", "ETag", "Content-Length", "Content-Security-Policy"} {
			if whole.header.Get(name) != short.header.Get(name) {
				t.Errorf("%s: %s is %q and %q", path, name, whole.header.Get(name), short.header.Get(name))
			}
		}
		for _, row := range []struct {
			name, value string
			status      int
		}{
			{"If-None-Match", `"1"`, 304}, {"If-None-Match", `W/"1"`, 304}, {"If-None-Match", `"7", "1"`, 304}, {"If-None-Match", "*", 304},
			{"If-None-Match", `"7"`, 200}, {"If-None-Match", "1", 200}, {"If-Match", `"1"`, 200}, {"If-Match", "*", 200},
		} {
			if path == "" && row.status == 304 {
				row.status = 200 // what a patch changes is not part of the revision
			}
			if got := a.send(get.with(row.name, row.value), sandbox); got.status != row.status || row.status == 304 && got.body != "" {
				t.Errorf("%s with %s %s: %d %q", path, row.name, row.value, got.status, got.body)
			}
		}
	}
	if got := a.send(a.call("HEAD", "/sandboxes/ID/events", ""), sandbox); got.status != 200 || got.header.Get("Content-Type") != api.MediaEvents {
		t.Errorf("HEAD of the events: %d %v", got.status, got.header)
	}
}

// A file's bytes come back unchanged, with a type that no browser runs or shows.
func TestFilesAreData(t *testing.T) {
	a := startAPI(t, Config{})
	sandbox := a.sandbox()
	for i, row := range []struct{ written, read, bytes string }{
		{"page.html", "page.html", "<script>alert(1)</script>"},
		{"a%2Fb%20c.js", "a/b%20c.js", "\x00\xff"},
		{"%C3%A4+%25.svg", "%c3%a4%2B%25.svg", "<svg/>"},
		{"empty", "empty", ""},
	} {
		put := a.call("PUT", "/sandboxes/ID/files/"+row.written, row.bytes)
		if got := answered[Revised](t, a.send(put.with("If-Match", api.ETag(int64(2*i+1))), sandbox), 201); got.Revision != int64(2*i+2) {
			t.Errorf("%s: revision %d", row.written, got.Revision)
		}
		answered[Revised](t, a.send(put, sandbox), 200) // again, when the file exists
		got := a.send(a.call("GET", "/sandboxes/ID/files/"+row.read, ""), sandbox)
		if got.status != 200 || got.body != row.bytes || got.header.Get("Content-Type") != api.MediaBytes || got.header.Get("Content-Disposition") != "attachment" {
			t.Errorf("%s: %d %q %v", row.read, got.status, got.body, got.header)
		}
		if !strings.Contains(got.header.Get("Content-Security-Policy"), "sandbox") || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", row.read, got.header)
		}
	}
}

// If many clients change the same revision, one of them succeeds.
func TestEditsAreAtomic(t *testing.T) {
	a := startAPI(t, Config{})
	sandbox := a.sandbox()
	var group sync.WaitGroup
	results := make(chan error, 50)
	for i := range cap(results) {
		group.Go(func() {
			path := fmt.Sprintf("/%d.txt", i)
			_, err := sandbox.Edit(Edit{At: 1, Files: []vfs.Change{vfs.Put(path, []byte("x")), vfs.Delete("/index.html")}})
			results <- err
		})
	}
	group.Wait()
	close(results)
	made := 0
	for err := range results {
		var stale *StaleError
		if err == nil {
			made++
		} else if !errors.As(err, &stale) || stale.Revision != 2 {
			t.Errorf("refused: %v", err)
		}
	}
	files, revision := sandbox.Files()
	if made != 1 || revision != 2 || files.Len() != 1 {
		t.Errorf("%d were made; revision %d has %d files", made, revision, files.Len())
	}
	// An edit changes both files and policy, or neither.
	if _, err := sandbox.Edit(Edit{Files: []vfs.Change{vfs.Delete("/none")}, Policy: mustParse(t, "version: 1\nscripts: [eval]\n")}); err == nil {
		t.Error("a file that is not there was deleted")
	}
	if policy, revision := sandbox.Policy(); revision != 2 || len(policy.Scripts) > 0 {
		t.Errorf("revision %d has the scripts %v", revision, policy.Scripts)
	}
	edited, err := sandbox.Edit(Edit{Files: []vfs.Change{vfs.Put("/new", nil)}, Policy: mustParse(t, "version: 1\nscripts: [eval]\n")})
	if policy, _ := sandbox.Policy(); err != nil || edited.Revision != 3 || len(edited.Files.Added) != 1 || len(policy.Scripts) != 1 {
		t.Errorf("%+v, %v", edited, err)
	}
	// A sandbox that is being removed cannot be changed.
	if err := sandbox.Remove(2); err == nil || a.Sandbox(sandbox.ID()) == nil {
		t.Errorf("removed at a stale revision: %v", err)
	}
	if err := sandbox.Remove(3); err != nil {
		t.Error(err)
	}
	if _, err := sandbox.Edit(Edit{Files: []vfs.Change{vfs.Put("/new", nil)}}); !errors.Is(err, ErrRemoved) {
		t.Errorf("changed after its removal: %v", err)
	}
	if err := sandbox.Remove(0); !errors.Is(err, ErrRemoved) {
		t.Errorf("removed twice: %v", err)
	}
}

func mustParse(t *testing.T, text string) *rules.Policy {
	t.Helper()
	policy, err := rules.Parse(policyFile, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return policy
}
