package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server/api"
)

// apiRoot is the path of the HTTP API on the host origin. The whole API is below it, and
// nothing else is.
const (
	apiPrefix = "/api/"
	apiRoot   = apiPrefix + "v1"
)

// An operation is one row of the HTTP API. The routes, the OpenAPI document, and the tests are
// made from these rows.
type operation struct {
	// path is relative to apiRoot. {id} stands for a sandbox, and {path} for a file.
	method, path string
	id           string // stable: generated clients use it to name their functions
	summary      string
	query        []parameter
	header       []parameter
	takes        *content // the request's body; nil if it has none
	answers      []reply  // to a successful request, the usual one first
	// revised says that the response has the sandbox's revision as its ETag, and that If-Match
	// makes the request conditional on it.
	revised bool
	// public says that no token is needed.
	public bool
	// codes are the problem codes that are specific to this operation. See [api.Codes].
	codes  []string
	handle echo.HandlerFunc
}

// A parameter of the query or the header.
type parameter struct {
	name, text string
	words      []string // the value is a comma-separated list of these words
	number     bool
	several    bool // it may occur several times
}

// A content is a body: a Go type as JSON, text, or bytes.
type content struct {
	media string
	of    any      // a value of the type
	also  []string // other media types that are accepted
}

// A reply is a response to a successful request.
type reply struct {
	status int
	content
	header []parameter
}

// Media types.
const (
	mediaJSON   = "application/json"
	mediaBytes  = "application/octet-stream"
	mediaYAML   = "application/yaml"
	mediaText   = "text/plain; charset=utf-8"
	mediaEvents = "text/event-stream"
	mediaZip    = "application/zip"
	mediaTar    = "application/x-tar"
	mediaGzip   = "application/gzip"
)

var (
	jsonOf      = func(of any) content { return content{media: mediaJSON, of: of} }
	revisedBody = jsonOf(Revised{})
	replayed    = []parameter{{name: "Location", text: "The sandbox's path in this API."}}
	// filters are the query parameters that [api.EventQuery] turns into an [EventFilter].
	filters = []parameter{
		{name: "after", text: "Only events with a larger ID.", number: true},
		{name: "type", text: "Only events of these types.", words: sandbox.EventWords("type")},
		{name: "action", text: "Only verdicts and violations with one of these actions.", words: sandbox.EventWords("action")},
		{name: "source", text: "Only events from one of these sources.", words: sandbox.EventWords("source")},
		{name: "level", text: "Only console lines of one of these levels.", words: sandbox.EventWords("level")},
	}
)

// operations returns the table of the HTTP API.
func (s *Server) operations() []operation {
	takes := func(c content) *content { return &c }
	ok := func(c content) []reply { return []reply{{status: http.StatusOK, content: c}} }
	return []operation{
		{
			method: "POST", path: "/sandboxes", id: "createSandbox", summary: "Make a sandbox of files and a policy.",
			header: []parameter{{name: "Idempotency-Key", text: "The same key with the same body gives the same sandbox again. 1 to 255 visible ASCII characters."}},
			takes:  takes(jsonOf(NewSandbox{})), answers: []reply{{http.StatusCreated, jsonOf(Info{}), replayed}},
			codes:  []string{"bad-key", "bad-field", "bad-path", "bad-policy", "key-reused", "sandbox-removed", "over-limit", "full", "store-full"},
			handle: s.createSandbox,
		},
		{
			method: "GET", path: "/sandboxes", id: "listSandboxes", summary: "The sandboxes, in the order in which they were made.",
			query: []parameter{
				{name: "label", text: "Only sandboxes with this label: key=value, or a key alone for any value. Of several labels, a sandbox must have all.", several: true},
				{name: "limit", text: fmt.Sprintf("How many sandboxes at most, from 1 to %[1]d. Default: %[1]d.", api.MostListed), number: true},
				{name: "after", text: "What next is on the page before."},
			},
			answers: ok(jsonOf(SandboxList{})), codes: []string{"bad-parameter"}, handle: s.listSandboxes,
		},
		{
			method: "GET", path: "/sandboxes/{id}", id: "getSandbox", summary: "One sandbox.",
			answers: ok(jsonOf(Info{})), revised: true, handle: s.getSandbox,
		},
		{
			method: "PATCH", path: "/sandboxes/{id}", id: "patchSandbox", summary: "Change the name, the entry, the time to live, or labels.",
			takes: takes(jsonOf(SandboxPatch{})), answers: ok(jsonOf(Info{})), revised: true,
			codes: []string{"bad-field"}, handle: s.patchSandbox,
		},
		{
			method: "DELETE", path: "/sandboxes/{id}", id: "deleteSandbox", summary: "End a sandbox. Its id is never used again.",
			answers: []reply{{status: http.StatusNoContent}}, revised: true, handle: s.deleteSandbox,
		},
		{
			method: "GET", path: "/sandboxes/{id}/files", id: "listFiles", summary: "The files' paths, sizes, hashes and types.",
			answers: ok(jsonOf(FileList{})), revised: true, handle: s.listFiles,
		},
		{
			method: "PATCH", path: "/sandboxes/{id}/files", id: "patchFiles", summary: "Set and delete many files in one revision, or none of them.",
			takes: takes(jsonOf(FilesPatch{})), answers: ok(revisedBody), revised: true,
			codes: []string{"bad-field", "bad-path", "unknown-file", "over-limit", "store-full"}, handle: s.patchFiles,
		},
		{
			method: "PUT", path: "/sandboxes/{id}/files", id: "replaceFiles", summary: "Replace all files by those of a zip, a tar or a tar.gz.",
			takes: takes(content{media: mediaZip, also: []string{mediaTar, mediaGzip}}), answers: ok(revisedBody), revised: true,
			codes: []string{"bad-archive", "bad-path", "over-limit", "store-full"}, handle: s.replaceFiles,
		},
		{
			method: "GET", path: "/sandboxes/{id}/files/{path}", id: "getFile", summary: "A file's bytes, always as application/octet-stream; listFiles has its type.",
			answers: ok(content{media: mediaBytes}), revised: true, codes: []string{"unknown-file", api.CodeFileChanged}, handle: s.getFile,
		},
		{
			method: "PUT", path: "/sandboxes/{id}/files/{path}", id: "putFile", summary: "Write a file. Its type follows from its name.",
			takes: takes(content{media: mediaBytes}), answers: []reply{{status: http.StatusOK, content: revisedBody}, {status: http.StatusCreated, content: revisedBody}}, revised: true,
			codes: []string{"bad-path", "over-limit", "store-full"}, handle: s.putFile,
		},
		{
			method: "DELETE", path: "/sandboxes/{id}/files/{path}", id: "deleteFile", summary: "Delete a file.",
			answers: ok(revisedBody), revised: true, codes: []string{"bad-path", "unknown-file"}, handle: s.deleteFile,
		},
		{
			method: "GET", path: "/sandboxes/{id}/policy", id: "getPolicy", summary: "The policy's text.",
			answers: ok(content{media: mediaText, of: ""}), revised: true, handle: s.getPolicy,
		},
		{
			method: "PUT", path: "/sandboxes/{id}/policy", id: "putPolicy", summary: "Replace the policy.",
			takes: takes(content{media: mediaYAML, of: ""}), answers: ok(revisedBody), revised: true,
			codes: []string{"bad-policy"}, handle: s.putPolicy,
		},
		{
			method: "POST", path: "/sandboxes/{id}/explain", id: "explain", summary: "What the policy says of a request, and why.",
			takes: takes(jsonOf(Question{})), answers: ok(jsonOf(firewall.Explanation{})), revised: true,
			codes: []string{"bad-field"}, handle: s.postExplain,
		},
		{
			method: "GET", path: "/sandboxes/{id}/events", id: "followEvents", summary: "The log, as server-sent events, without end.",
			query:   filters,
			header:  []parameter{{name: "Last-Event-ID", text: "Instead of after.", number: true}},
			answers: ok(content{media: mediaEvents, of: api.LoggedEvent{}}), codes: []string{"bad-filter", "bad-event-id", "too-many-streams"}, handle: s.followEvents(),
		},
		{
			method: "GET", path: "/sandboxes/{id}/log", id: "readLog", summary: "The events of the log until now.",
			query:   append(slices.Clip(filters), parameter{name: "limit", text: fmt.Sprintf("How many events at most, from 1 to %d. Default: %d.", api.MostRead, api.UsuallyRead), number: true}),
			answers: ok(jsonOf(LogPage{})), codes: []string{"bad-parameter", "bad-filter", "bad-event-id"}, handle: s.readLog,
		},
		{
			method: "POST", path: "/sandboxes/{id}/execute", id: "execute", summary: "Run an ES module in a page that shows the sandbox, and wait for its end.",
			takes: takes(jsonOf(ExecutionRequest{})), answers: ok(jsonOf(Outcome{})),
			codes: []string{"bad-field", string(sandbox.CodeExists), "no-code", "bad-timeout", "bad-context", string(sandbox.CodeBadCapability), "code-too-large", "args-too-large", "too-many-executions"}, handle: s.postExecute,
		},
		{
			method: "POST", path: "/sandboxes/{id}/btcp", id: "callTool", summary: "Run a tool by a message of BTCP in a page that shows the sandbox, and wait for its answer.",
			takes: takes(jsonOf(btcp.Call{})), answers: ok(jsonOf(btcp.Reply{})), handle: s.postCall,
		},
		{
			method: "POST", path: "/mcp-apps", id: "createApp", summary: "Make the sandbox of an MCP App, for a host page that frames it at one address.",
			takes: takes(jsonOf(AppSpec{})), answers: []reply{{status: http.StatusCreated, content: jsonOf(CreatedApp{})}},
			codes: []string{"bad-field", "no-mcp-apps", "full", "store-full", "over-limit"}, handle: s.postMCPApp,
		},
		{
			method: "GET", path: "/openapi.json", id: "getDocument", summary: "This document.", public: true,
			answers: ok(jsonOf(map[string]any{})), handle: func(c echo.Context) error { return c.Blob(http.StatusOK, mediaJSON, api.OpenAPI) },
		},
	}
}

// route returns the row's path in the syntax of a [route].
func (o *operation) route() string {
	return apiRoot + strings.NewReplacer("{id}", "{sandbox}", "{path}", "*").Replace(o.path)
}

func (o *operation) ofSandbox() bool { return strings.Contains(o.path, "{id}") }

// apiRoutes returns the routes of the table. Checks that hold for every operation are made in
// one place, for unknown paths too. The order of the checks reveals nothing to a stranger: a
// request without a token learns only that.
func (s *Server) apiRoutes() (rows []route) {
	for _, o := range s.operations() {
		methods := []string{o.method}
		if o.method == http.MethodGet {
			methods = reads
		}
		caller := s.requireCaller
		if o.public {
			caller = s.requireOrigin
		}
		rows = append(rows, route{
			methods: methods, path: o.route(), encoded: true, handle: o.handle,
			guards: []echo.MiddlewareFunc{caller, s.checked(&o)}, fail: s.handleAPIError,
		})
	}
	return append(rows, route{
		path: apiPrefix + "*", encoded: true, handle: refuseOperation,
		guards: []echo.MiddlewareFunc{s.requireCaller}, fail: s.handleAPIError,
	})
}

// refuseOperation refuses a request that no operation matches.
func refuseOperation(c echo.Context) error {
	r := c.Request()
	if allow := exchangeOf(r).allowed(); allow != "" {
		c.Response().Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "This path does not support %s. Use one of: %s.", r.Method, allow)
	}
	return refuse(http.StatusNotFound, "not-found", "No operation exists at %s. See %s/openapi.json for all operations.", r.URL.EscapedPath(), apiRoot)
}

// checked makes a guard of [Server.checkRequest].
func (s *Server) checked(row *operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := s.checkRequest(c, row); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// checkRequest checks a request against its row, and finds its sandbox.
func (s *Server) checkRequest(c echo.Context, row *operation) error {
	r := c.Request()
	if row.ofSandbox() {
		sandbox := s.Sandbox(param(c, "sandbox"))
		if sandbox == nil {
			return api.UnknownSandbox()
		}
		sandbox.Touch()
		exchangeOf(r).name(sandbox)
	}
	for name := range r.URL.Query() {
		if !slices.ContainsFunc(row.query, func(p parameter) bool { return p.name == name }) {
			return refuse(http.StatusBadRequest, "bad-query", "This operation has no query parameter %.100q. Check its spelling, or leave it out.", name)
		}
	}
	if len(r.Header.Values("If-Match")) > 0 && !row.revised {
		return refuse(http.StatusBadRequest, "bad-precondition", "This operation does not support If-Match. Leave it out.")
	}
	if row.takes == nil {
		return nil
	}
	return row.takes.check(r)
}
