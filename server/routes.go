package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/server/api"
)

// A table is the whole URL space of one host. Its rows are tried in order, and the first row
// that matches a request answers it. So a row that refuses stands before the rows that it
// protects. Each table ends with a row that matches every request.
type table struct {
	name string // the host's name in metrics and logs
	// rejects returns an error for a spelling that no path of the host has. nil rejects
	// nothing.
	rejects func(*url.URL) error
	rows    []route
}

// A route is one row of a table. Nothing else judges a request's URL: the row determines the
// response's policy headers, the guards, and the handler.
type route struct {
	// methods are the methods that match. nil matches every method, known or not.
	methods []string
	// path is compared with the request's path as it is written. {id} matches anything that
	// can be a sandbox's id. Another name in braces matches any segment that is not empty (see
	// param). A final * matches any rest. Only the path * matches a request target without a
	// slash, such as that of OPTIONS *.
	path string
	// encoded says that the path may contain percent-encoded characters that need no encoding.
	// A row without it matches only one spelling.
	encoded bool
	// from are the accepted values of Sec-Fetch-Dest, or nil for any.
	from destinations
	// when is a further condition, or nil. It may store what it has found in the exchange.
	when func(x *exchange, r *http.Request) bool
	of   naming
	// class is the class of the response. The zero value is a refusal, which loads nothing.
	class firewall.Class
	// withoutWorker says that the headers come from the policy that applies without a worker.
	withoutWorker bool
	// controls returns sources of frames to add to the policy, for the self-test.
	controls func(x *exchange) []string
	// whileEnding says that the row also answers while the server ends.
	whileEnding bool
	// guards may refuse a request. They run in order.
	guards []echo.MiddlewareFunc
	handle echo.HandlerFunc
	// fail turns an error into a response. nil stands for [Server.handleError].
	fail func(error, echo.Context)
}

// A naming says how a request names its sandbox.
type naming uint8

const (
	// ofNone says that the row has no sandbox, or finds it only once the caller is known.
	ofNone naming = iota
	// ofSandbox takes the sandbox from the host, or from {id} in the path. An unknown sandbox
	// is refused.
	ofSandbox
	// ofAny does what ofSandbox does, but the row also answers for an unknown sandbox.
	ofAny
	// ofFirst takes the sandbox that the host page shows at "/". Being shown there does not
	// count as a use.
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
	unsaid   = destinations{""} // from a program, or a browser without Fetch Metadata
)

var (
	gets  = []string{http.MethodGet}
	posts = []string{http.MethodPost}
	reads = []string{http.MethodGet, http.MethodHead}
)

// notFound is the last row of most tables.
var notFound = route{path: "*", encoded: true, handle: refuseUnmatched}

// refused returns the row of a request that is refused before any other row could answer.
func refused(err error) *route {
	return &route{handle: func(echo.Context) error { return err }}
}

// match finds the row for a request to a host, and the sandbox that the row needs. hostID is
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
			return refused(api.UnknownSandbox())
		}
		if row.when == nil || row.when(x, r) {
			return row
		}
	}
	return refused(refuse(http.StatusNotFound, "not-found", "There is nothing at this path."))
}

// find sets the sandbox of a row, unless an earlier row has done so. It reports whether the
// row can answer.
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

// matchPath matches a path against a row's. It returns the values of the names in braces.
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

// param returns the value of a name in braces in the request's path, or "".
func param(c echo.Context, name string) string { return exchangeOf(c.Request()).params[name] }

// refuseUnmatched says why no row matches a request: because of its method or its spelling, or
// because there is nothing at the path.
func refuseUnmatched(c echo.Context) error {
	r := c.Request()
	switch allow := exchangeOf(r).allowed(); {
	case allow != "":
		c.Response().Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "This path does not support %s.", r.Method)
	case r.URL.RawPath != "":
		return refuse(http.StatusNotFound, "not-found", "There is nothing at this path. No path of this host contains percent-encoded characters.")
	default:
		return refuse(http.StatusNotFound, "not-found", "There is nothing at this path.")
	}
}

// allowed returns a value for the header Allow: the methods of the rows that match the request
// except for its method.
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
