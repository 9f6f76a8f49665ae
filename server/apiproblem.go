package server

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// A Problem is what the HTTP API answers when it refuses (RFC 9457).
type Problem struct {
	// Type is the address where the code is explained.
	Type string `json:"type"`
	// Title says what is wrong, in the same words for each problem with this code.
	Title string `json:"title"`
	// Status is the HTTP status.
	Status int `json:"status"`
	// Code says what is wrong. It never changes its meaning.
	Code string `json:"code"`
	// Detail says what happened, and what to do.
	Detail string `json:"detail"`
	// Revision is the sandbox's own, if the request was for another.
	Revision int64 `json:"revision,omitempty"`
	// Pointer is the place in a JSON body (RFC 6901).
	Pointer string `json:"pointer,omitempty"`
	// Mistakes are all those of a policy, in the order of the text.
	Mistakes []Mistake `json:"mistakes,omitempty"`
}

// A Mistake is one of a policy.
type Mistake struct {
	// File is the policy's name.
	File string `json:"file"`
	// Line counts from 1.
	Line int `json:"line"`
	// Column counts from 1.
	Column int `json:"column"`
	// Message says what is wrong.
	Message string `json:"message"`
	// Hint says what was probably meant.
	Hint string `json:"hint,omitempty"`
	// Source is the text of the line.
	Source string `json:"source"`
}

const (
	mediaProblem = "application/problem+json"
	problemTypes = "https://github.com/bellglass/bellglass/blob/main/docs/api.md#"
)

// A code is a reason for which the API refuses a request.
type code struct {
	name  string
	title string // the same text for every problem with this code
	// status has several values if the code is for limits of a sandbox and of the whole
	// server.
	status []int
	// general says that every operation may use this code.
	general bool
}

// codes are all codes, ordered by status.
var codes = []code{
	{"bad-json", "The body is not the JSON of this operation", []int{400}, true},
	{"body", "The body did not come whole", []int{400}, true},
	{"bad-query", "There is no such query parameter", []int{400}, true},
	{"bad-parameter", "A query parameter has an invalid value", []int{400}, false},
	{"bad-precondition", "If-Match does not name one revision", []int{400}, true},
	{"bad-filter", "The events cannot be filtered so", []int{400}, false},
	{"bad-event-id", "No event has such an id", []int{400}, false},
	{"no-code", "There is no code to run", []int{400}, false},
	{"bad-timeout", "The code cannot have this time", []int{400}, false},
	{"bad-context", "Unknown context", []int{400}, false},
	{string(sandbox.CodeBadCapability), "Unavailable capability", []int{400}, false},
	{"bad-key", "The Idempotency-Key cannot be one", []int{400}, false},
	{"unauthorized", "The request has no token that the server takes", []int{401}, true},
	{"cross-origin", "The request comes from a page of another origin", []int{403}, true},
	{"not-found", "There is no such operation", []int{404}, true},
	{"no-mcp-apps", "The server runs no MCP Apps", []int{404}, false},
	{"unknown-sandbox", "There is no such sandbox", []int{404}, true},
	{"unknown-file", "There is no such file", []int{404}, false},
	{"method-not-allowed", "The path has no such method", []int{405}, true},
	{"body-timeout", "The body did not come in time", []int{408}, true},
	{"key-reused", "The Idempotency-Key was used with another body", []int{409}, false},
	{"sandbox-removed", "What the Idempotency-Key made has been removed", []int{410}, false},
	{codeChanged, "File changed on disk", []int{410}, false},
	{"stale-revision", "The sandbox has another revision", []int{412}, true},
	{"body-too-large", "The body is too large", []int{413}, true},
	{"over-limit", "The files are over a limit", []int{413}, false},
	{"code-too-large", "The code is too large", []int{413}, false},
	{"args-too-large", "The arguments are too large", []int{413}, false},
	{"unsupported-type", "The body is of another media type", []int{415}, true},
	{"bad-field", "A value cannot be taken", []int{422}, false},
	{"bad-archive", "The archive is refused", []int{422}, false},
	{"bad-path", "A file cannot have this path", []int{422}, false},
	{"bad-policy", "The policy is refused", []int{422}, false},
	{"too-many-requests", "The token asks too often", []int{429}, true},
	{"too-many-executions", "Too many executions wait or run", []int{429}, false},
	{"too-many-streams", "Too many streams are open", []int{429, 503}, false},
	{"internal", "Something went wrong in the server", []int{500}, true},
	{"busy", "The server is receiving too much at once", []int{503}, true},
	{"full", "There are too many sandboxes", []int{503}, false},
	{"store-full", "No room for the files", []int{507}, false},
}

func titleOf(name string) string {
	for _, c := range codes {
		if c.name == name {
			return c.title
		}
	}
	return ""
}

// A fieldError rejects a value in a JSON body.
type fieldError struct {
	answerError
	pointer string
}

func refuseField(pointer, format string, args ...any) error {
	return &fieldError{*refuse(http.StatusUnprocessableEntity, "bad-field", format, args...).(*answerError), pointer}
}

func (e *fieldError) Unwrap() error { return &e.answerError }

// handleAPIError is the only place where an error becomes an answer of the API.
func (s *Server) handleAPIError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if errors.Is(err, ErrFull) {
		err = refuseFor(c, http.StatusServiceUnavailable, sandbox.LeastIdle, "full",
			"There are %d sandboxes, which is the limit, and each is kept, viewed or was used within the last minute. Delete some or try again later.", s.config.Limits.Sandboxes)
	}
	p := members(err)
	answer := s.answerTo(refusalOf(err), c)
	p.Type, p.Title, p.Status, p.Code, p.Detail = problemTypes+answer.code, titleOf(answer.code), answer.status, answer.code, answer.text
	body, err := json.Marshal(p)
	if err == nil {
		err = c.Blob(p.Status, mediaProblem, append(body, '\n'))
	}
	if err != nil {
		s.config.Log.Debug("an answer could not be written", "error", err)
	}
}

// refusalOf translates errors of the packages below into what clients are told.
func refusalOf(err error) error {
	var archive *vfs.ArchiveError
	var path *vfs.PathError
	var limit *vfs.LimitError
	var spec *SpecError
	var stale *StaleError
	var execution *ExecutionError
	switch mistakes, isPolicy := errors.AsType[rules.Errors](err); {
	case isPolicy:
		return refuse(http.StatusUnprocessableEntity, "bad-policy", "The policy is refused, and the sandbox is as it was. The first of its mistakes: %v.", mistakes[0])
	case errors.As(err, &archive):
		return refuse(http.StatusUnprocessableEntity, "bad-archive", "The files are as they were: %v.", archive)
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return refuse(http.StatusNotFound, "unknown-file", "The %v.", path)
	case errors.As(err, &path):
		return refuse(http.StatusUnprocessableEntity, "bad-path", "The %v.", path)
	case errors.As(err, &limit) && limit.What == vfs.LimitStore:
		return refuse(http.StatusInsufficientStorage, "store-full", "The files are refused, and all sandboxes are as they were: %v. Files that a change has replaced count for %s more.", limit, sandbox.OutgoingTime)
	case errors.As(err, &limit):
		return refuse(http.StatusRequestEntityTooLarge, "over-limit", "The files are refused: %v.", limit)
	case errors.As(err, &spec):
		return refuse(http.StatusUnprocessableEntity, "bad-field", "%s.", spec.Reason)
	case errors.As(err, &stale):
		return refuse(http.StatusPreconditionFailed, "stale-revision", "The sandbox has revision %d, and the request is for revision %d. Read it again and repeat the change.", stale.Revision, stale.Expected)
	case errors.As(err, &execution):
		return refuse(statusOf(execution), string(execution.Code), "%s", execution.Reason)
	case errors.Is(err, ErrRemoved):
		return unknownSandbox()
	}
	return err
}

// statusOf returns the HTTP status for an execution that never began.
func statusOf(e *ExecutionError) int {
	switch e.Code {
	case sandbox.CodeTooLarge, sandbox.CodeArgsTooLarge:
		return http.StatusRequestEntityTooLarge
	case sandbox.CodeTooMany:
		return http.StatusTooManyRequests
	default:
		return http.StatusBadRequest
	}
}

// members returns a problem with the members that only some problems have.
func members(err error) *Problem {
	p := &Problem{}
	if stale, ok := errors.AsType[*StaleError](err); ok {
		p.Revision = stale.Revision
	}
	if field, ok := errors.AsType[*fieldError](err); ok {
		p.Pointer = field.pointer
	}
	if spec, ok := errors.AsType[*SpecError](err); ok {
		p.Pointer = "/" + spec.Field
	}
	mistakes, _ := errors.AsType[rules.Errors](err)
	for _, m := range mistakes {
		if len(p.Mistakes) == maxMistakes {
			break
		}
		p.Mistakes = append(p.Mistakes, Mistake{File: m.File, Line: m.Line, Column: m.Col, Message: m.Msg, Hint: m.Hint, Source: cutSource(m.Source)})
	}
	return p
}

// maxMistakes is how many mistakes of a policy are reported. A hostile policy has millions.
const maxMistakes = 100

// cutSource shortens a line of a policy, which may be as long as the whole policy.
func cutSource(line string) string {
	const most = 1_000 // characters
	n := 0
	for at := range line {
		if n++; n > most {
			return line[:at] + "…"
		}
	}
	return line
}
