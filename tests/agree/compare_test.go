package agree

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/firewall/browsermodel"
	"github.com/bellglass/bellglass/rules"
	told "github.com/bellglass/bellglass/rules/browser"
	language "github.com/bellglass/bellglass/rules/rule"
)

// A difference is a request on which not all agree, and what they say.
type difference struct {
	request rules.Request
	text    string
}

// A trial is a policy and its program with all that answers.
type trial struct {
	drawn            *policy
	program          *rules.Program
	scan             *scan
	document, worker browser
	seen             func(kind string) // is told what came to pass
}

// A browser is what one response's headers let through, by the model.
type browser struct {
	csp      map[string][]string
	patterns []string
	size     int // of the longer header
}

func newBrowser(f *firewall.Firewall, class firewall.Class) (b browser, err error) {
	header := f.Headers(class, firewall.Site{Inner: "http://abc.sandbox.localhost:3333", Outer: "http://sandbox.localhost:3333"})
	if b.csp, err = browsermodel.Directives(header); err == nil {
		_, b.patterns, err = browsermodel.Connections(header)
	}
	b.size = max(len(header.Get("Content-Security-Policy")), len(header.Get("Connection-Allowlist")))
	return b, err
}

// compare asks all four about each request and returns the differences. An error
// is that somebody gave no answer at all.
func compare(drawn *policy, loaded *rules.Policy, requests []rules.Request, seen func(string)) ([]difference, error) {
	n, err := startNode()
	if err != nil {
		return nil, err
	}
	t := &trial{drawn: drawn, program: loaded.Program(), scan: newScan(drawn), seen: seen}
	f := firewall.New(loaded)
	if t.document, err = newBrowser(f, firewall.Inner); err != nil {
		return nil, err
	}
	if t.worker, err = newBrowser(f, firewall.WorkerScript); err != nil {
		return nil, err
	}
	if t.document.size > told.HeaderBudget*3/4 {
		t.seen(long)
	}
	q := question{Program: t.program}
	for _, r := range requests {
		q.Requests = append(q.Requests, asked{r.Method, r.Type, r.URL})
	}
	decisions, err := n.ask(q)
	if err != nil {
		return nil, err
	}
	var all []difference
	for i, r := range requests {
		if text := t.compare(r, decisions[i]); text != "" {
			all = append(all, difference{r, text})
		}
	}
	return all, nil
}

// compare returns "" if all agree on a request.
func (t *trial) compare(r rules.Request, byWorker decision) string {
	var problems []string
	differ := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }

	v := t.program.Decide(r)
	got := answer{v.Action, v.Rule, v.Code, v.File, v.Line}
	naive := t.naive(r, v, differ)
	if got != naive.answer {
		differ("the naive scan and the program differ")
	}
	if diff := cmp.Diff(naive.matches, t.program.Matches(r)); diff != "" {
		differ("the rules that match (-naive +program):\n%s", diff)
	}
	if why := t.workerDiffers(r, got, byWorker); why != "" {
		differ("%s", why)
	}
	if v.Action == rules.Allow {
		t.browsers(r, v.URL, differ)
	}
	t.notice(r, naive)
	if len(problems) == 0 {
		return ""
	}
	return fmt.Sprintf("naive   %+v\nprogram %+v\nworker  %+v on %.300q\nbrowser %+v\n        %+v\n%s", naive.answer, got, byWorker.answer, byWorker.Href, t.document, t.worker, strings.Join(problems, "\n"))
}

// naive is the scan's answer, which needs the URL in its one spelling.
func (t *trial) naive(r rules.Request, v rules.Verdict, differ func(string, ...any)) finding {
	canonical, err := language.CanonicalURL(r.URL)
	if err != nil {
		return finding{answer: answer{Code: refusal(r.URL, v.Code), File: t.drawn.layers[0].file}}
	}
	// A URL may be too long in this spelling alone, which nobody is asked about.
	if again, err := language.CanonicalURL(canonical); len(canonical) <= longest && (err != nil || again != canonical) {
		differ("the one spelling %.300q has another: %.300q, %v", canonical, again, err)
	}
	if v.URL != canonical {
		differ("the verdict is on %.300q, not on %.300q", v.URL, canonical)
	}
	return t.scan.decide(r, canonical)
}

// workerDiffers says how the worker's answer differs from the program's, or
// nothing. Three differences are of the two URL parsers.
func (t *trial) workerDiffers(r rules.Request, want answer, got decision) string {
	refused := want.Action == rules.Block && (want.Code == rules.CodeNoncanonical || want.Code == rules.CodeTooLong)
	switch {
	case got.answer == want:
		return ""
	case got.Href == "":
		// What a browser cannot parse it cannot send; there both need only block. The
		// worker, which sees no such URL, may pass it under an audit: it does not know
		// that "xn--b" is the punycode of nothing.
		t.seen("worker: not parsed")
		if want.Action == rules.Block && (got.Action == rules.Block || got.Code == rules.CodeAudit) {
			return ""
		}
	case dotSegments(got.Href):
		// The parser of some versions of Node overlooks a dot segment, which no
		// browser does. That shows what the worker does with what no parser should
		// write.
		t.seen("worker: dot segments")
		if got.Action == rules.Block && got.Code == rules.CodeNoncanonical {
			return ""
		}
	case got.Code == rules.CodeUnsupportedScheme && refused:
		// Go's parser refuses some hosts of such URLs, which the worker never looks at.
		t.seen("worker: scheme first")
		if got.Action == rules.Block {
			return ""
		}
	case refused:
		// The two parsers differ on what a page could write, and Go's is the one
		// that refuses. They must not differ on what the browser makes of it, which
		// is all that a worker ever sees, but where Go's refuses that as well, such as
		// wrong punycode, which some browsers keep: there both need only block.
		t.seen("worker: parsers differ")
		v := t.program.Decide(rules.Request{Method: r.Method, URL: got.Href, Type: r.Type})
		want = answer{v.Action, v.Rule, v.Code, v.File, v.Line}
		if got.answer == want || want.Code == rules.CodeNoncanonical && got.Action == rules.Block {
			return ""
		}
		return fmt.Sprintf("the worker and the program differ on %.300q, of which the program says %+v", got.Href, want)
	}
	return "the worker and the program differ"
}

// dotSegments reports whether an http or WebSocket URL has a segment that a
// parser should have resolved.
func dotSegments(href string) bool {
	if scheme, _, _ := strings.Cut(href, "://"); language.DefaultPort(scheme) == 0 {
		return false
	}
	path, _, _ := strings.Cut(strings.NewReplacer("%2e", ".", "%2E", ".").Replace(href), "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../")
}

// browsers is the fourth answer: what the program allows, the browser's own
// policies must.
func (t *trial) browsers(r rules.Request, canonical string, differ func(string, ...any)) {
	u, err := browsermodel.ParseURL(r.URL)
	if err != nil {
		differ("what is allowed is no URL: %v", err)
		return
	}
	// No worker makes these two.
	byWorker := r.Type != rules.TypeWebSocket && r.Type != rules.TypeFrame
	check := func(who string, ok bool, err error) {
		if err != nil || !ok {
			differ("%s does not allow it: %v", who, err)
		}
	}
	directive := browsermodel.Directive(r.Type)
	ok, err := browsermodel.Allows(t.document.csp[directive], u)
	check("the document's "+directive, ok, err)
	if byWorker {
		ok, err = browsermodel.Allows(t.worker.csp["connect-src"], u)
		check("the worker's connect-src", ok, err)
	}
	if needless(u.Path) {
		t.seen("needless percent-encoding")
		return // URLPattern decodes nothing; refusing such a spelling is the safe side
	}
	ok, err = browsermodel.Connects(t.document.patterns, u)
	check("the document's Connection-Allowlist", ok, err)
	if byWorker {
		ok, err = browsermodel.Connects(t.worker.patterns, u)
		check("the worker's Connection-Allowlist", ok, err)
	}
}

// needless reports whether a path has a percent-encoding that is not the one
// that a browser itself would write: of a character that may stand raw, or in
// lower case.
func needless(path string) bool {
	const raw = "-._~!$&'()*+,;=:@"
	for i := 0; i+2 < len(path); i++ {
		if path[i] != '%' {
			continue
		}
		code := path[i+1 : i+3]
		var c byte
		if _, err := fmt.Sscanf(code, "%02X", &c); err != nil || strings.ToUpper(code) != code {
			return true
		}
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte(raw, c) >= 0 {
			return true
		}
	}
	return false
}
