package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
)

// A table is the whole URL space of one host. Its rows are tried in order, and the first
// that is for a request answers it. So a row that refuses stands before those that it
// protects. Each table ends with a row for every request.
type table struct {
	name string // as metrics and logs know the host
	// rejects refuses a spelling that no path of the host has. It is nil for a host whose
	// rows say all.
	rejects func(*url.URL) error
	rows    []route
}

// A route is one row of a table. Nothing else judges a request's URL: the response's policy
// headers, the guards and the handler are all the row's.
type route struct {
	// methods is nil for every method, known or not.
	methods []string
	// path is matched with the path as it is written. {id} stands for what can be a sandbox's
	// id, another name in braces for any segment that is not empty (see param), and * at the
	// end for any rest. A request target without a slash, such as that of OPTIONS *, is only
	// matched by * alone.
	path string
	// encoded: the path may be written with percent-encoded characters that need not be
	// encoded. Every other row has one spelling.
	encoded bool
	// from are the values of Sec-Fetch-Dest, nil for any.
	from destinations
	// when adds a condition, nil for none. It may note in the exchange what it has found.
	when func(x *exchange, r *http.Request) bool
	of   naming
	// class is the kind of response. The zero value is a refusal, which loads nothing.
	class firewall.Class
	// withoutWorker: the headers are those of the policy that holds without a worker.
	withoutWorker bool
	// controls adds sources of frames to the policy, for the self-test.
	controls func(x *exchange) []string
	// whileEnding: the row answers also when the server ends.
	whileEnding bool
	// guards refuse a request, the first one first.
	guards []echo.MiddlewareFunc
	handle echo.HandlerFunc
	// fail makes an answer of an error; nil stands for [Server.handleError].
	fail func(error, echo.Context)
}

// A naming says how a request names its sandbox.
type naming uint8

const (
	// ofNone: the row is for no sandbox, or finds it once the caller is known.
	ofNone naming = iota
	// ofSandbox: by the host, or by {id} in the path. Without that sandbox the request is refused.
	ofSandbox
	// ofAny is the same, and the row answers without the sandbox as well.
	ofAny
	// ofFirst: the one that the host page shows at "/". To be shown is no use of it.
	ofFirst
)

// destinations are values of Sec-Fetch-Dest (Fetch, section 3.9; Fetch Metadata, section 2.1).
type destinations []string

const (
	destServiceWorker = "serviceworker"
	destScript        = "script"
	destDocument      = "document"
)

var (
	inFrames = destinations{"iframe", "frame"}
	inTabs   = destinations{destDocument}
	asWorker = destinations{destServiceWorker}
	unsaid   = destinations{""} // by a browser without Fetch Metadata, or a program
)

var (
	gets  = []string{http.MethodGet}
	posts = []string{http.MethodPost}
	reads = []string{http.MethodGet, http.MethodHead}
)

// notFound is the last row of most tables.
var notFound = route{path: "*", encoded: true, handle: refuseUnmatched}

// refused is the row of a request that is refused before any other row could answer.
func refused(err error) *route {
	return &route{handle: func(echo.Context) error { return err }}
}

// match finds the row for a request on a host, and the sandbox that the row says. hostID is
// the sandbox's id in the host's name, or "".
func (x *exchange) match(t *table, r *http.Request, hostID string) *route {
	if t.rejects != nil {
		if err := t.rejects(r.URL); err != nil {
			return refused(err)
		}
	}
	path, destination := r.URL.EscapedPath(), r.Header.Get("Sec-Fetch-Dest")
	for i := range t.rows {
		row := &t.rows[i]
		if r.URL.RawPath != "" && !row.encoded || row.from != nil && !slices.Contains(row.from, destination) {
			continue
		}
		params, found := matchPath(row.path, path)
		if !found {
			continue
		}
		if row.methods != nil && !slices.Contains(row.methods, r.Method) {
			x.allow = append(x.allow, row.methods...)
			continue
		}
		x.params = params
		if !x.find(row.of, cmp.Or(hostID, params["id"])) {
			return refused(unknownSandbox())
		}
		if row.when == nil || row.when(x, r) {
			return row
		}
	}
	return refused(refuse(http.StatusNotFound, "not-found", "There is nothing at this path."))
}

// find sets the sandbox that a row is about, unless an earlier row has, and reports whether
// the row can answer.
func (x *exchange) find(of naming, id string) bool {
	switch {
	case of == ofNone || x.sandbox != nil:
		return true
	case of == ofFirst:
		x.name(servedAs(x.server.registry.First()))
		return true
	}
	sandbox := x.server.Sandbox(id)
	if sandbox != nil {
		sandbox.Touch()
		x.name(sandbox)
	}
	return sandbox != nil || of == ofAny
}

// matchPath compares a path with a row's, and returns what the braces stand for.
func matchPath(pattern, path string) (params map[string]string, found bool) {
	for {
		literal, after, braces := strings.Cut(pattern, "{")
		if !braces {
			if literal, found = strings.CutSuffix(literal, "*"); found {
				return params, strings.HasPrefix(path, literal)
			}
			return params, path == literal
		}
		rest, found := strings.CutPrefix(path, literal)
		value, _, _ := strings.Cut(rest, "/")
		name, next, _ := strings.Cut(after, "}")
		if !found || value == "" || name == "id" && !IsID(value) {
			return nil, false
		}
		if params == nil {
			params = map[string]string{}
		}
		params[name] = value
		pattern, path = next, rest[len(value):]
	}
}

// param returns what a name in braces stands for in the request's path, or "".
func param(c echo.Context, name string) string { return exchangeOf(c.Request()).params[name] }

// refuseUnmatched says why no row is for a request: for its method, for its spelling, or
// because there is nothing.
func refuseUnmatched(c echo.Context) error {
	r := c.Request()
	switch allow := exchangeOf(r).allowed(); {
	case allow != "":
		c.Response().Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "%s is not a method of this path.", r.Method)
	case r.URL.RawPath != "":
		return refuse(http.StatusNotFound, "not-found", "There is nothing at this path: no path here has percent-encoded characters.")
	default:
		return refuse(http.StatusNotFound, "not-found", "There is nothing at this path.")
	}
}

// allowed lists the methods of those rows that differ from the request in the method alone,
// as a value of Allow.
func (x *exchange) allowed() string {
	slices.Sort(x.allow)
	return strings.Join(slices.Compact(x.allow), ", ")
}

// run calls the row's guards and its handler.
func (row *route) run(c echo.Context) error {
	handle := row.handle
	for _, guard := range slices.Backward(row.guards) {
		handle = guard(handle)
	}
	return handle(c)
}
