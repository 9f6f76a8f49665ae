package mapping

import (
	"fmt"
	"net/http"

	"github.com/bellglass/bellglass/firewall"
)

// A mappingRun is a row with one header.
type mappingRun struct {
	row      *mapping
	variant  variant
	page     *mappingPage
	requests []mappingRequest
}

// A mappingPage makes the requests of several runs with the same header.
type mappingPage struct {
	origin string // no other page has this origin
	header http.Header
	runs   []*mappingRun
}

// together is how many rows share one page without a policy.
const together = 12

// plan returns the runs of a variant, one for each row, and their pages. A rejected policy has
// a run without requests, and no page.
func plan(firewalls []*firewall.Firewall, v variant, number int) (runs []*mappingRun, pages []*mappingPage) {
	for n, f := range firewalls {
		run := &mappingRun{row: &mappings[n], variant: v}
		runs = append(runs, run)
		if f == nil {
			continue
		}
		if len(pages) == 0 || v.header != "" || len(pages[len(pages)-1].runs) == together || pages[len(pages)-1].confuses(run.row) {
			// All pages have one host, so that the browser does not need a process for each
			// page.
			p := &mappingPage{origin: fmt.Sprintf("http://own.localhost:%d", 20_000+number+n), header: http.Header{}}
			if v.header != "" {
				site := firewall.Site{Inner: p.origin, Outer: "http://sandbox.localhost:3333"}
				p.header.Set(v.header, f.Headers(firewall.Inner, site).Get(v.header))
			}
			pages = append(pages, p)
		}
		run.page = pages[len(pages)-1]
		run.page.runs = append(run.page.runs, run)
		run.requests = run.row.requests(run.page.origin)
	}
	return runs, pages
}

// confuses reports whether the canary could mistake a request of the row for one that the page
// makes in another way.
func (p *mappingPage) confuses(m *mapping) bool {
	for _, mine := range m.requests(p.origin) {
		for _, run := range p.runs {
			for _, other := range run.requests {
				if mine.target() == other.target() && mine.method == other.method && (mine.how != other.how || mine.from != other.from) {
					return true
				}
			}
		}
	}
	return false
}
