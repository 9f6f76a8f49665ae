package mapping

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
)

// This test compares what the browser makes of the headers with what the compiler of the rules
// expects. Each row of the tables is a policy with requests. A page makes these requests three
// times, without a worker: with no policy, when all must arrive at the canary; with only the
// Content-Security-Policy; and with only the Connection-Allowlist.
//
// rows_test.go describes a row, plan_test.go assigns its requests to pages, page_test.go makes
// them, and check_test.go compares the row with the rules. hosts_test.go, paths_test.go, and
// rules_test.go contain the rows.

// A variant is the only policy header that a page has.
type variant struct{ name, header string }

var variants = []variant{
	{"no policy", ""},
	{"CSP", "Content-Security-Policy"},
	{"allowlist", "Connection-Allowlist"},
}

// mappings are all rows.
var mappings = slices.Concat(hostMappings, pathMappings, ruleMappings)

func TestMapping(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	// Every name and every port leads to the canary, and nothing leaves the machine.
	everywhere, err := browser.Launch("--host-resolver-rules=MAP * "+birds.Anywhere(), "--ignore-certificate-errors", "--no-proxy-server")
	if err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		if err := everywhere.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	firewalls, refusals := make([]*firewall.Firewall, len(mappings)), make([]error, len(mappings))
	for n := range mappings {
		firewalls[n], refusals[n] = mappings[n].firewall()
	}
	runs := make([][]*mappingRun, len(variants)) // by variant, then by row
	tab := everywhere.Page(t)
	for i, v := range variants {
		var pages []*mappingPage
		runs[i], pages = plan(firewalls, v, 1000*i)
		for _, p := range pages {
			if err := p.load(birds, tab); err != nil {
				t.Fatalf("%s with %s: %v", p.runs[0].row.name, v.name, err)
			}
		}
	}
	// The browser's own traffic also reaches the canary, and ends only with the canary.
	if err := tab.Context().Close(); err != nil {
		t.Error(err)
	}
	end()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := birds.Quiesce(ctx); err != nil {
		t.Fatal(err)
	}

	arrived := arrivals(birds.All())
	for n := range mappings {
		t.Run(mappings[n].name, func(t *testing.T) {
			for i := range variants {
				runs[i][n].judge(t, arrived)
			}
			mappings[n].check(t, firewalls[n], refusals[n])
		})
	}
	t.Log("\n" + mappingTable(runs))
}

// arrivals returns what arrived, by the page's origin, the method, and the URL. The browser
// names the origin in each request of a page: a WebSocket request in Origin, other requests at
// least in Referer.
func arrivals(hits []canary.Hit) map[[3]string]bool {
	all := map[[3]string]bool{}
	for _, h := range hits {
		if h.Kind != "http" && h.Kind != "websocket" {
			continue
		}
		origin := h.Header.Get("Origin")
		if from, err := url.Parse(h.Header.Get("Referer")); err == nil && from.Host != "" {
			origin = from.Scheme + "://" + from.Host
		}
		all[[3]string{origin, h.Method, h.URL()}] = true
	}
	return all
}

// judge compares what arrived with the row's expectations.
func (run *mappingRun) judge(t *testing.T, arrived map[[3]string]bool) {
	t.Helper()
	for i := range run.requests {
		r := &run.requests[i]
		r.arrived = arrived[[3]string{run.page.origin, r.method, r.sent}]
		want := r.arrives(run.variant)
		switch {
		case r.arrived == want:
		case run.variant.header == "":
			t.Errorf("%s: with no policy at all, arrived is %v, want %v; so the row proves nothing", r.text, r.arrived, want)
		case want && r.action == rules.Allow:
			t.Errorf("%s: the rule allows it and the %s blocks it, so the compiler is narrower than the rule: %s", r.text, run.variant.name, run.page.header)
		case want:
			t.Errorf("%s: the %s blocks it, so it is narrower than the row says (%s): %s", r.text, run.variant.name, run.row.why, run.page.header)
		case r.action == rules.Allow:
			t.Errorf("%s: the rule allows it, and now the %s lets it through as well: move it to pass", r.text, run.variant.name)
		default:
			t.Errorf("%s: the %s lets it through, so it is wider than the row says: %s", r.text, run.variant.name, run.page.header)
		}
	}
}
