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

// A difference is a request on which the answers differ, and a text with the answers.
type difference struct {
	request rules.Request
	text    string
}

// A trial is a policy with everything that answers for it.
type trial struct {
	drawn            *policy
	program          *rules.Program
	scan             *scan
	document, worker browser
	seen             func(kind string) // is called with each kind of case that occurred
}

// A browser is what the headers of one response let through, by the model.
type browser struct {
	csp      map[string][]string
	patterns []string
	size     int // bytes of the longer header
}

func newBrowser(f *firewall.Firewall, class firewall.Class) (b browser, err error) {
	header := f.Headers(class, firewall.Site{Inner: "http://abc.sandbox.localhost:3333", Outer: "http://sandbox.localhost:3333"})
	if b.csp, err = browsermodel.Directives(header); err == nil {
		_, b.patterns, err = browsermodel.Connections(header)
	}
	b.size = max(len(header.Get("Content-Security-Policy")), len(header.Get("Connection-Allowlist")))
	return b, err
}

// compare gets all four answers for each request and returns the differences. It returns an
// error if one of the four gave no answer at all.
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

// compare returns "" if all four agree on a request.
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

// naive returns the scan's answer. The scan needs the URL in its canonical spelling.
func (t *trial) naive(r rules.Request, v rules.Verdict, differ func(string, ...any)) finding {
	canonical, err := language.CanonicalURL(r.URL)
	if err != nil {
		return finding{answer: answer{Code: refusal(r.URL, v.Code), File: t.drawn.layers[0].file}}
	}
	// The canonical spelling alone may exceed the maximum length. Nothing is asked about such
	// a spelling.
	if again, err := language.CanonicalURL(canonical); len(canonical) <= longest && (err != nil || again != canonical) {
		differ("the one spelling %.300q has another: %.300q, %v", canonical, again, err)
	}
	if v.URL != canonical {
		differ("the verdict is on %.300q, not on %.300q", v.URL, canonical)
	}
	return t.scan.decide(r, canonical)
}

// workerDiffers says how the worker's answer differs from the program's, or returns "". It
// accepts three differences, which come from the two URL parsers.
func (t *trial) workerDiffers(r rules.Request, want answer, got decision) string {
	refused := want.Action == rules.Block && (want.Code == rules.CodeNoncanonical || want.Code == rules.CodeTooLong)
	switch {
	case got.answer == want:
		return ""
	case got.Href == "":
		// A browser cannot send a URL that it cannot parse, so for such URLs it is enough that
		// both block. The worker never sees such a URL, and may allow it under an audit: it
		// does not know that "xn--b" is invalid punycode.
		t.seen("worker: not parsed")
		if want.Action == rules.Block && (got.Action == rules.Block || got.Code == rules.CodeAudit) {
			return ""
		}
	case dotSegments(got.Href):
		// Some versions of Node overlook a dot segment, which no browser does. That shows what
		// the worker does with URLs that no parser should produce.
		t.seen("worker: dot segments")
		if got.Action == rules.Block && got.Code == rules.CodeNoncanonical {
			return ""
		}
	case got.Code == rules.CodeUnsupportedScheme && refused:
		// Go's parser rejects some hosts of such URLs. The worker never reads these hosts.
		t.seen("worker: scheme first")
		if got.Action == rules.Block {
			return ""
		}
	case refused:
		// The two parsers differ on a URL that a page could write, and Go's parser rejects it.
		// They must agree on the URL as the browser serializes it, which is all that a worker
		// ever sees. If Go's parser rejects that, too, it is enough that both block: some
		// browsers keep wrong punycode, for example.
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

// dotSegments reports whether an http or WebSocket URL has a segment that a parser should have
// resolved.
func dotSegments(href string) bool {
	if scheme, _, _ := strings.Cut(href, "://"); language.DefaultPort(scheme) == 0 {
		return false
	}
	path, _, _ := strings.Cut(strings.NewReplacer("%2e", ".", "%2E", ".").Replace(href), "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../")
}

// browsers checks the fourth answer: whatever the program allows, the browser's own policies
// must allow.
func (t *trial) browsers(r rules.Request, canonical string, differ func(string, ...any)) {
	u, err := browsermodel.ParseURL(r.URL)
	if err != nil {
		differ("what is allowed is no URL: %v", err)
		return
	}
	// The worker makes no requests of these two types.
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
		return // URLPattern decodes nothing, and blocking such a spelling is safe
	}
	ok, err = browsermodel.Connects(t.document.patterns, u)
	check("the document's Connection-Allowlist", ok, err)
	if byWorker {
		ok, err = browsermodel.Connects(t.worker.patterns, u)
		check("the worker's Connection-Allowlist", ok, err)
	}
}

// needless reports whether a path has a percent-encoding that a browser would not write: of a
// character that may stand unencoded, or in lower case.
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
