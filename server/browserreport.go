package server

import (
	"cmp"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
)

// A cspReport is the body that browsers send to a report-uri (Content Security Policy Level 3,
// section 5.3).
type cspReport struct {
	Report struct {
		Target    string `json:"blocked-uri"`
		Directive string `json:"effective-directive"`
		// Violated is the older name of Directive. In old browsers it includes the directive's
		// sources.
		Violated string `json:"violated-directive"`
		Source   string `json:"source-file"`
		Line     int    `json:"line-number"`
		Column   int    `json:"column-number"`
	} `json:"csp-report"`
}

func (r *cspReport) events() int { return 1 }

// browserReportLimit limits one report, which contains the policy and URLs that page code
// chooses.
var browserReportLimit = bodyLimit{bytes: 4 << 20, values: 100}

// postBrowserReport records a report that the browser sends on its own. Page code can cause
// any number of reports, so reports beyond the limits are only counted.
func (s *Server) postBrowserReport(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	source := reporter(c.Request(), sandbox.URL())
	if source == "" {
		return refuse(http.StatusForbidden, "browser-only", "This path accepts only reports that a browser sends by itself.")
	}
	var report cspReport
	if err := s.readBatch(c, browserReportLimit, sandbox.browserReports, &report); err != nil {
		sandbox.unreported.add(1)
		return err
	}
	r := report.Report
	violated, _, _ := strings.Cut(r.Violated, " ")
	sandbox.RecordReportedViolation(source, protocol.ViolationReport{
		Target: r.Target, Directive: cmp.Or(r.Directive, violated),
		Place: protocol.Place{URL: r.Source, Line: r.Line, Col: r.Column},
	})
	return c.NoContent(http.StatusNoContent)
}

// reporter returns the source of a report, or "" if the request is not a browser's report.
// Chromium and Firefox send the destination "report", which code cannot set.
//
// WebKit's destination is empty. There, the mode no-cors should prevent fetch from sending
// this content type, but WebKitGTK (2.50) takes the type from a Blob. So such a report may
// come from the page.
func reporter(r *http.Request, origin string) protocol.Source {
	from := r.Header.Get("Origin")
	if r.Header.Get("Content-Type") != "application/csp-report" || r.Header.Get("Sec-Fetch-Mode") != "no-cors" ||
		from != "" && from != "null" && from != origin {
		return ""
	}
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "report":
		return protocol.SourceBrowser
	case "empty":
		return protocol.SourcePage
	default:
		return ""
	}
}

// postRealmReports records the reports of a worker's prelude. Any code of the sandbox can send
// the same, so their source is the page.
func (s *Server) postRealmReports(c echo.Context) error {
	if c.Request().Header.Get("Sec-Fetch-Site") != "same-origin" {
		return refuse(http.StatusForbidden, "cross-origin", "This path answers only to the sandbox's own origin.")
	}
	var batch realmReports
	sandbox := sandboxOf(c.Request())
	if err := s.readBatch(c, reportsLimit, sandbox.reports, &batch); err != nil {
		return err
	}
	sandbox.RecordReports("", batch.Reports.Reports, batch.Dropped)
	return c.NoContent(http.StatusNoContent)
}

type realmReports struct{ protocol.Reports }

func (r *realmReports) events() int { return len(r.Reports.Reports) }

// A tally counts losses, and reports them once for all losses within 1 s.
type tally struct {
	tell func(count int)

	mu    sync.Mutex
	count int
}

const tallyTime = time.Second

func (t *tally) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count += n; t.count == n {
		time.AfterFunc(tallyTime, func() {
			t.mu.Lock()
			count := t.count
			t.count = 0
			t.mu.Unlock()
			t.tell(count)
		})
	}
}
