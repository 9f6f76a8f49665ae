package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// guardAll puts a guard before the handler of every row of a host's table.
func guardAll(s *Server, where hostKind, guard echo.MiddlewareFunc) {
	for i := range s.tables[where].rows {
		row := &s.tables[where].rows[i]
		row.guards = append(slices.Clone(row.guards), guard)
	}
}

var classNames = map[firewall.Class]string{
	firewall.Refusal: "refusal", firewall.Inner: "inner", firewall.Boot: "boot", firewall.WorkerScript: "worker script",
	firewall.Outer: "outer", firewall.HostPage: "host page", firewall.SelfTest: "self-test", firewall.Notice: "notice", firewall.Isolated: "isolated",
}

var (
	allMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"}
	// allDestinations are the destinations of Fetch, section 2.2.5, the empty one, and an
	// unknown one.
	allDestinations = []string{
		"", "audio", "audioworklet", "document", "embed", "empty", "fencedframe", "font", "frame", "iframe", "image", "json", "manifest",
		"object", "paintworklet", "report", "script", "serviceworker", "sharedworker", "style", "track", "video", "webidentity", "worker", "xslt", "brew",
	}
)

// The golden file lists the class of each path of each table, by method and destination. That
// is the complete list of what each host serves, and with which policy.
func TestRoutes(t *testing.T) {
	const golden = "testdata/routes.txt"
	var got strings.Builder
	fmt.Fprint(&got, "Each path of each table, by method and Sec-Fetch-Dest: its class, and the row that answers if\nthat is another path's. A second table of a host has only what differs from the one before it.\ngo test ./server -run TestRoutes -update writes this file.\n")
	written := map[string]string{} // by host and path
	for _, table := range []struct {
		name   string
		where  hostKind
		policy string
		site   string
	}{
		{"host", pageHost, "", ""}, {"host that needs a token", pageHost, "", ""}, {"alias", hostAlias, "", ""}, {"outer", outerHost, "", "same-origin"}, {"proxy", proxyHost, "", ""}, {"unknown", unknownHost, "", ""},
		{"inner, worker required", innerHost, "worker: required\n", "same-origin"},
		{"inner, worker preferred, own origin", innerHost, "worker: preferred\n", "same-origin"},
		{"inner, worker preferred, another origin", innerHost, "worker: preferred\n", "cross-site"},
	} {
		s, sandbox := routed(t, table.policy, strings.HasSuffix(table.name, "token"))
		isolated := waiting(t, sandbox)
		asked := map[string]bool{}
		fmt.Fprintf(&got, "\n# %s\n", table.name)
		for _, row := range s.tables[table.where].rows {
			if asked[row.path] {
				continue
			}
			asked[row.path] = true
			of := fmt.Sprint(table.where, row.path)
			text := classes(t, s, table.where, row.path, table.site, sandbox, isolated)
			if text != written[of] {
				got.WriteString(text)
			}
			written[of] = text
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the tables are not what %s says; run go test ./server -run TestRoutes -update, and read the diff (-file +tables):\n%s", golden, diff)
	}
}

// routed makes a server with a sandbox. It offers every feature that it can. If the host page
// needs a token, that excludes the self-test.
func routed(t *testing.T, policy string, needsToken bool) (*Server, *Sandbox) {
	t.Helper()
	s, err := New(Config{SelfTest: !needsToken, AllowRemote: needsToken, MCPApps: &mcpapps.Options{}, MCPPort: 8081, BTCP: &btcp.Options{}, Embedders: []string{mcpHost}})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := rules.Parse("rules.yaml", []byte("version: 1\ndefault: block\n"+policy))
	if err != nil {
		t.Fatal(err)
	}
	sandbox := mustCreate(t, s)
	if _, err := sandbox.SetPolicy(parsed); err != nil {
		t.Fatal(err)
	}
	return s, sandbox
}

// waiting returns the id of an isolated execution of the sandbox.
func waiting(t *testing.T, sandbox *Sandbox) string {
	t.Helper()
	view, leave := sandbox.Enter()
	t.Cleanup(leave)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go sandbox.Execute(ctx, Execution{Code: "1", Context: ContextFrame, Timeout: time.Minute})
	<-view.Wake
	return view.Take()[0].(protocol.Run).Execution
}

// classes returns the golden file's lines about a path. For each method they list the
// destinations by what they get. Methods that get the same share a line.
func classes(t *testing.T, s *Server, where hostKind, path, site string, sandbox *Sandbox, isolated string) string {
	t.Helper()
	address := strings.NewReplacer(
		"{id}", sandbox.ID(), "{sandbox}", sandbox.ID(), "{execution}", isolated, "{file}", protocol.ExecutionCode,
		"{hash}", strings.Repeat("0", 64), "{run}", "run",
	).Replace(path)
	if rest, found := strings.CutSuffix(address, "*"); found {
		address = "/" + strings.TrimPrefix(rest, "/") + "any/where"
	}
	hostID := ""
	if where == innerHost {
		hostID = sandbox.ID()
	}
	none := func(destination string) string {
		if destination == "" {
			return "(none)"
		}
		return destination
	}
	lines, order := map[string][]string{}, []string(nil)
	for _, method := range allMethods {
		by, kinds := map[string][]string{}, []string(nil)
		for _, destination := range allDestinations {
			r := httptest.NewRequest(method, address, nil)
			r.Header = http.Header{"Sec-Fetch-Dest": {destination}, "Sec-Fetch-Site": {site}}
			x, r := s.exchange(httptest.NewRecorder(), r)
			x.where = where
			row := x.match(s.tables[where], r, hostID)
			kind := classNames[row.class]
			if row.path != path {
				kind += " by " + row.path
			}
			if len(by[kind]) == 0 {
				kinds = append(kinds, kind)
			}
			by[kind] = append(by[kind], none(destination))
		}
		var parts []string
		for _, kind := range kinds {
			switch to := strings.Join(by[kind], " "); {
			case len(kinds) == 1:
				parts = append(parts, kind)
			case len(by[kind]) > len(allDestinations)/2:
				parts = append(parts, kind+": others")
			default:
				parts = append(parts, kind+": "+to)
			}
		}
		line := strings.Join(parts, "; ")
		if lines[line] == nil {
			order = append(order, line)
		}
		lines[line] = append(lines[line], method)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n", path)
	for _, line := range order {
		fmt.Fprintf(&text, "  %s\n    %s\n", strings.Join(lines[line], " "), line)
	}
	return text.String()
}
