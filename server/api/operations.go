package api

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/sandbox"
)

// Root is the path of the HTTP API on the host origin. The whole API is below [Prefix], and
// nothing else is.
const (
	Prefix = "/api/"
	Root   = Prefix + "v1"
)

// An Operation is one row of the HTTP API. The routes, the OpenAPI document, and the tests are
// made from these rows.
type Operation struct {
	// Path is relative to [Root]. {id} stands for a sandbox, and {path} for a file.
	Method, Path string
	ID           string // stable: generated clients use it to name their functions
	Summary      string
	Query        []Parameter
	Header       []Parameter
	Takes        *Content // the request's body; nil if it has none
	Answers      []Reply  // to a successful request, the usual one first
	// Revised says that the response has the sandbox's revision as its ETag, and that If-Match
	// makes the request conditional on it.
	Revised bool
	// Public says that no token is needed.
	Public bool
	// Codes are the problem codes that are specific to this operation. See the variable
	// [Codes].
	Codes []string
	// Handle answers a request that [Operation.Check] has accepted. sb is the sandbox in the
	// path, or nil.
	Handle func(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error
}

// A Parameter of the query or the header.
type Parameter struct {
	Name, Text string
	Words      []string // the value is a comma-separated list of these words
	Number     bool
	Several    bool // it may occur several times
}

// A Content is a body: a Go type as JSON, text, or bytes.
type Content struct {
	Media string
	Of    any      // a value of the type
	Also  []string // other media types that are accepted
}

// A Reply is a response to a successful request.
type Reply struct {
	Status int
	Content
	Header []Parameter
}

// Media types.
const (
	MediaJSON   = "application/json"
	MediaBytes  = "application/octet-stream"
	MediaYAML   = "application/yaml"
	MediaText   = "text/plain; charset=utf-8"
	MediaEvents = "text/event-stream"
	MediaZip    = "application/zip"
	MediaTar    = "application/x-tar"
	MediaGzip   = "application/gzip"
)

var (
	jsonOf      = func(of any) Content { return Content{Media: MediaJSON, Of: of} }
	revisedBody = jsonOf(Revised{})
	replayed    = []Parameter{{Name: "Location", Text: "The sandbox's path in this API."}}
	// filters are the query parameters that [EventQuery] turns into a [sandbox.EventFilter].
	filters = []Parameter{
		{Name: "after", Text: "Only events with a larger ID.", Number: true},
		{Name: "type", Text: "Only events of these types.", Words: sandbox.EventWords("type")},
		{Name: "action", Text: "Only verdicts and violations with one of these actions.", Words: sandbox.EventWords("action")},
		{Name: "source", Text: "Only events from one of these sources.", Words: sandbox.EventWords("source")},
		{Name: "level", Text: "Only console lines of one of these levels.", Words: sandbox.EventWords("level")},
	}
)

// Operations returns the table of the HTTP API.
func (a *API) Operations() []Operation {
	takes := func(c Content) *Content { return &c }
	ok := func(c Content) []Reply { return []Reply{{Status: http.StatusOK, Content: c}} }
	return []Operation{
		{
			Method: "POST", Path: "/sandboxes", ID: "createSandbox", Summary: "Make a sandbox of files and a policy.",
			Header: []Parameter{{Name: "Idempotency-Key", Text: "The same key with the same body gives the same sandbox again. 1 to 255 visible ASCII characters."}},
			Takes:  takes(jsonOf(NewSandbox{})), Answers: []Reply{{http.StatusCreated, jsonOf(Info{}), replayed}},
			Codes:  []string{"bad-key", "bad-field", "bad-path", "bad-policy", "bad-package", "registry", "unknown-sandbox", "not-warm", "key-reused", "sandbox-removed", "over-limit", "full", "store-full"},
			Handle: a.createSandbox,
		},
		{
			Method: "POST", Path: "/warm", ID: "warmSandboxes", Summary: "Make warm sandboxes, whose views boot and wait for files.",
			Takes: takes(jsonOf(NewWarm{})), Answers: []Reply{{Status: http.StatusCreated, Content: jsonOf(SandboxList{})}},
			Codes: []string{"bad-field", "bad-policy", "full"}, Handle: a.warmSandboxes,
		},
		{
			Method: "GET", Path: "/sandboxes", ID: "listSandboxes", Summary: "The sandboxes, in the order in which they were made.",
			Query: []Parameter{
				{Name: "label", Text: "Only sandboxes with this label: key=value, or a key alone for any value. Of several labels, a sandbox must have all.", Several: true},
				{Name: "limit", Text: fmt.Sprintf("How many sandboxes at most, from 1 to %[1]d. Default: %[1]d.", mostListed), Number: true},
				{Name: "after", Text: "What next is on the page before."},
			},
			Answers: ok(jsonOf(SandboxList{})), Codes: []string{"bad-parameter"}, Handle: a.listSandboxes,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}", ID: "getSandbox", Summary: "One sandbox.",
			Answers: ok(jsonOf(Info{})), Revised: true, Handle: a.getSandbox,
		},
		{
			Method: "PATCH", Path: "/sandboxes/{id}", ID: "patchSandbox", Summary: "Change the name, the entry, the time to live, or labels.",
			Takes: takes(jsonOf(SandboxPatch{})), Answers: ok(jsonOf(Info{})), Revised: true,
			Codes: []string{"bad-field"}, Handle: a.patchSandbox,
		},
		{
			Method: "DELETE", Path: "/sandboxes/{id}", ID: "deleteSandbox", Summary: "End a sandbox. Its id is never used again.",
			Answers: []Reply{{Status: http.StatusNoContent}}, Revised: true, Handle: a.deleteSandbox,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}/files", ID: "listFiles", Summary: "The files' paths, sizes, hashes and types.",
			Answers: ok(jsonOf(FileList{})), Revised: true, Handle: a.listFiles,
		},
		{
			Method: "PATCH", Path: "/sandboxes/{id}/files", ID: "patchFiles", Summary: "Set and delete many files in one revision, or none of them.",
			Takes: takes(jsonOf(FilesPatch{})), Answers: ok(revisedBody), Revised: true,
			Codes: []string{"bad-field", "bad-path", "unknown-file", "over-limit", "store-full"}, Handle: a.patchFiles,
		},
		{
			Method: "PUT", Path: "/sandboxes/{id}/files", ID: "replaceFiles", Summary: "Replace all files by those of a zip, a tar or a tar.gz.",
			Takes: takes(Content{Media: MediaZip, Also: []string{MediaTar, MediaGzip}}), Answers: ok(revisedBody), Revised: true,
			Codes: []string{"bad-archive", "bad-path", "over-limit", "store-full"}, Handle: a.replaceFiles,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}/files/{path}", ID: "getFile", Summary: "A file's bytes, always as application/octet-stream; listFiles has its type.",
			Answers: ok(Content{Media: MediaBytes}), Revised: true, Codes: []string{"unknown-file", CodeFileChanged}, Handle: a.getFile,
		},
		{
			Method: "PUT", Path: "/sandboxes/{id}/files/{path}", ID: "putFile", Summary: "Write a file. Its type follows from its name.",
			Takes: takes(Content{Media: MediaBytes}), Answers: []Reply{{Status: http.StatusOK, Content: revisedBody}, {Status: http.StatusCreated, Content: revisedBody}}, Revised: true,
			Codes: []string{"bad-path", "over-limit", "store-full"}, Handle: a.putFile,
		},
		{
			Method: "DELETE", Path: "/sandboxes/{id}/files/{path}", ID: "deleteFile", Summary: "Delete a file.",
			Answers: ok(revisedBody), Revised: true, Codes: []string{"bad-path", "unknown-file"}, Handle: a.deleteFile,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}/policy", ID: "getPolicy", Summary: "The policy's text.",
			Answers: ok(Content{Media: MediaText, Of: ""}), Revised: true, Handle: a.getPolicy,
		},
		{
			Method: "PUT", Path: "/sandboxes/{id}/policy", ID: "putPolicy", Summary: "Replace the policy.",
			Takes: takes(Content{Media: MediaYAML, Of: ""}), Answers: ok(revisedBody), Revised: true,
			Codes: []string{"bad-policy"}, Handle: a.putPolicy,
		},
		{
			Method: "POST", Path: "/sandboxes/{id}/explain", ID: "explain", Summary: "What the policy says of a request, and why.",
			Takes: takes(jsonOf(Question{})), Answers: ok(jsonOf(firewall.Explanation{})), Revised: true,
			Codes: []string{"bad-field"}, Handle: a.postExplain,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}/events", ID: "followEvents", Summary: "The log, as server-sent events, without end.",
			Query:   filters,
			Header:  []Parameter{{Name: "Last-Event-ID", Text: "Instead of after.", Number: true}},
			Answers: ok(Content{Media: MediaEvents, Of: LoggedEvent{}}), Codes: []string{"bad-filter", "bad-event-id", "too-many-streams"}, Handle: a.FollowEvents,
		},
		{
			Method: "GET", Path: "/sandboxes/{id}/log", ID: "readLog", Summary: "The events of the log until now.",
			Query:   append(slices.Clip(filters), Parameter{Name: "limit", Text: fmt.Sprintf("How many events at most, from 1 to %d. Default: %d.", mostRead, usuallyRead), Number: true}),
			Answers: ok(jsonOf(LogPage{})), Codes: []string{"bad-parameter", "bad-filter", "bad-event-id"}, Handle: a.readLog,
		},
		{
			Method: "POST", Path: "/sandboxes/{id}/execute", ID: "execute", Summary: "Run an ES module in a page that shows the sandbox, and wait for its end.",
			Takes: takes(jsonOf(sandbox.ExecutionRequest{})), Answers: ok(jsonOf(sandbox.Outcome{})),
			Codes: []string{"bad-field", string(sandbox.CodeExists), "no-code", "bad-timeout", "bad-context", string(sandbox.CodeBadCapability), "code-too-large", "args-too-large", "too-many-executions"}, Handle: a.postExecute,
		},
		{
			Method: "POST", Path: "/sandboxes/{id}/btcp", ID: "callTool", Summary: "Run a tool by a message of BTCP in a page that shows the sandbox, and wait for its answer.",
			Takes: takes(jsonOf(btcp.Call{})), Answers: ok(jsonOf(btcp.Reply{})), Handle: a.postCall,
		},
		{
			Method: "POST", Path: "/mcp-apps", ID: "createApp", Summary: "Make the sandbox of an MCP App, for a host page that frames it at one address.",
			Takes: takes(jsonOf(AppSpec{})), Answers: []Reply{{Status: http.StatusCreated, Content: jsonOf(CreatedApp{})}},
			Codes: []string{"bad-field", "no-mcp-apps", "full", "store-full", "over-limit"}, Handle: a.postMCPApp,
		},
		{
			Method: "GET", Path: "/openapi.json", ID: "getDocument", Summary: "This document.", Public: true,
			Answers: ok(jsonOf(map[string]any{})), Handle: func(w http.ResponseWriter, _ *http.Request, _ *sandbox.Sandbox) error {
				return answer(w, http.StatusOK, MediaJSON, OpenAPI)
			},
		},
	}
}

// OfSandbox reports whether the path names a sandbox.
func (o *Operation) OfSandbox() bool { return strings.Contains(o.Path, "{id}") }

// Check checks the query, the precondition, and the media type of a request.
func (o *Operation) Check(r *http.Request) error {
	for name := range r.URL.Query() {
		if !slices.ContainsFunc(o.Query, func(p Parameter) bool { return p.Name == name }) {
			return Refuse(http.StatusBadRequest, "bad-query", "This operation has no query parameter %.100q. Check its spelling, or leave it out.", name)
		}
	}
	if len(r.Header.Values("If-Match")) > 0 && !o.Revised {
		return Refuse(http.StatusBadRequest, "bad-precondition", "This operation does not support If-Match. Leave it out.")
	}
	if o.Takes == nil {
		return nil
	}
	return o.Takes.check(r)
}

// check compares the media type of a request with the one that the operation accepts. JSON
// must be declared as JSON. Bytes may have any type except those of forms: programs send these
// by default, and the body would not be what they mean.
func (t *Content) check(r *http.Request) error {
	given := r.Header.Values("Content-Type")
	media, params := "", map[string]string{}
	if len(given) > 0 {
		var err error
		if media, params, err = mime.ParseMediaType(given[0]); err != nil || len(given) > 1 {
			return Refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The Content-Type %.100q is not one media type. Send one, such as application/json.", strings.Join(given, ", "))
		}
	}
	charset := params["charset"]
	switch {
	case t.Media == MediaBytes && media != "application/x-www-form-urlencoded" && media != "multipart/form-data":
		return nil
	case charset != "" && !strings.EqualFold(charset, "utf-8"):
		return Refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The charset is %.50q. Send UTF-8.", charset)
	case media == t.Media, slices.Contains(t.Also, media), t.Media == MediaYAML && slices.Contains([]string{"", "text/yaml", "application/x-yaml", "text/plain"}, media):
		return nil
	}
	return Refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The Content-Type is %.100q. This operation accepts %s.", media, strings.Join(append([]string{t.Media}, t.Also...), ", "))
}
