package server

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// An id that the caller has kept gives a new sandbox the same origin, for one sandbox at a
// time. The tokens and keys of the previous sandbox are not valid for the next. Each page says
// which of the two it belongs to.
func TestIDIsGivenAgain(t *testing.T) {
	first, other := newTestServer(t)
	version, _ := other.Version()
	files, id := version.Files, NewID()
	create := func(s *Server, files *vfs.Snapshot) *Sandbox {
		t.Helper()
		sandbox, err := s.Create(Spec{ID: id, Files: files, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		if sandbox.ID() != id || !strings.Contains(sandbox.URL(), id) {
			t.Errorf("the sandbox %s at %s does not have the id %s", sandbox.ID(), sandbox.URL(), id)
		}
		return sandbox
	}
	before := create(first, files)
	for _, taken := range []string{id, id[1:], strings.ToUpper(id), id + ".", strings.Repeat("1", len(id))} {
		_, err := first.Create(Spec{ID: taken, Files: files})
		if spec, is := errors.AsType[*SpecError](err); !is || spec.Field != "id" {
			t.Errorf("another sandbox has the id %q: %v", taken, err)
		}
	}
	second, its := newTestServer(t)
	now, _ := its.Version()
	after := create(second, now.Files)
	if before.incarnation == after.incarnation || before.token == after.token || before.secret == after.secret || before.key == after.key {
		t.Error("the next sandbox with the id has something of the one before")
	}
	for _, sandbox := range []*Sandbox{before, after} {
		ask := func(url, destination string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", url, nil)
			r.Header.Set("Sec-Fetch-Dest", destination)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			return answer(sandbox.server, r)
		}
		for _, url := range []string{sandbox.HostURL(), sandbox.OuterURL(), sandbox.URL() + protocol.BootPath} {
			if page := ask(url, "iframe").Body.String(); !strings.Contains(page, `"incarnation":"`+sandbox.incarnation+`"`) {
				t.Errorf("the page %s does not name its incarnation:\n%.300s", url, page)
			}
		}
		if w := ask(sandbox.OuterURL(), "empty"); w.Code != 204 || w.Header().Get(protocol.IncarnationHeader) != sandbox.incarnation {
			t.Errorf("asked which sandbox it has, the server says %d, %q", w.Code, w.Header())
		}
	}
	if !first.Remove(id) {
		t.Fatal("there is no sandbox to remove")
	}
	if again := create(first, files); again.incarnation == before.incarnation {
		t.Error("after its removal the sandbox is the same one again")
	}
}
