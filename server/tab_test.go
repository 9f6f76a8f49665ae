package server

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
)

// Only a frame gets the outer frame, with its tokens.
func TestOuterFrameRefusesATab(t *testing.T) {
	s, sandbox := newTestServer(t)
	undefended, other := serverWith(t, Config{Defenses: firewalltest.Without(firewalltest.Defense("alone"))})
	for _, row := range []struct {
		server      *Server
		sandbox     *Sandbox
		destination string
		status      int
		says        string
	}{
		{s, sandbox, "iframe", 200, sandbox.token},
		{s, sandbox, "frame", 200, sandbox.token},
		{s, sandbox, "document", 403, "does not run in a tab of its own"},
		{s, sandbox, "object", 403, "not-a-frame"},
		{s, sandbox, "empty", 403, "not-a-frame"},
		{s, sandbox, "", 403, "no-fetch-metadata"},
		{undefended, other, "document", 200, other.token},
	} {
		r := httptest.NewRequest("GET", row.sandbox.OuterURL(), nil)
		if row.destination != "" {
			r.Header.Set("Sec-Fetch-Dest", row.destination)
		}
		w := answer(row.server, r)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.says) || row.status != 200 && strings.Contains(w.Body.String(), row.sandbox.token) {
			t.Errorf("%q: status %d, want %d and %s:\n%.300s", row.destination, w.Code, row.status, row.says, w.Body)
		}
		if csp := w.Header().Get("Content-Security-Policy"); strings.Contains(csp, "frame-src "+row.sandbox.URL()) != (row.status == 200) {
			t.Errorf("%q: the policy is %s", row.destination, csp)
		}
	}
}
