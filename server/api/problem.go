package api

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"unicode"
	"unicode/utf8"

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

// CodeFileChanged is the code for a file that has changed on disk since it was read.
const CodeFileChanged = "file-changed"

const (
	// MediaProblem is the media type of a [Problem].
	MediaProblem = "application/problem+json"
	// ProblemTypes is the beginning of [Problem.Type]. The code follows it.
	ProblemTypes = "https://github.com/bellglass/bellglass/blob/main/docs/api.md#"
)

// A Code is a reason for which the API refuses a request.
type Code struct {
	Name  string
	Title string // the same text for every problem with this code
	// Status has several values if the code is for limits of a sandbox and of the whole
	// server.
	Status []int
	// General says that every operation may use this code.
	General bool
}

// Codes are all codes, ordered by status.
var Codes = []Code{
	{"bad-json", "Invalid JSON body", []int{400}, true},
	{"body", "Incomplete request body", []int{400}, true},
	{"bad-query", "Unknown query parameter", []int{400}, true},
	{"bad-parameter", "Invalid query parameter", []int{400}, false},
	{"bad-precondition", "Invalid If-Match", []int{400}, true},
	{"bad-filter", "Invalid event filter", []int{400}, false},
	{"bad-event-id", "Invalid event ID", []int{400}, false},
	{"no-code", "Missing code", []int{400}, false},
	{"bad-timeout", "Invalid timeout", []int{400}, false},
	{"bad-context", "Unknown context", []int{400}, false},
	{string(sandbox.CodeBadCapability), "Unavailable capability", []int{400}, false},
	{"bad-key", "Invalid Idempotency-Key", []int{400}, false},
	{"unauthorized", "Missing or invalid token", []int{401}, true},
	{"cross-origin", "Cross-origin request", []int{403}, true},
	{"not-found", "Unknown operation", []int{404}, true},
	{"no-mcp-apps", "MCP Apps disabled", []int{404}, false},
	{"unknown-sandbox", "Unknown sandbox", []int{404}, true},
	{"unknown-file", "Unknown file", []int{404}, false},
	{"method-not-allowed", "Unsupported method", []int{405}, true},
	{"body-timeout", "Request body timeout", []int{408}, true},
	{"not-warm", "Sandbox not warm", []int{409}, false},
	{"key-reused", "Reused Idempotency-Key", []int{409}, false},
	{string(sandbox.CodeExists), "Execution ID in use", []int{409}, false},
	{"sandbox-removed", "Removed sandbox", []int{410}, false},
	{CodeFileChanged, "File changed on disk", []int{410}, false},
	{"stale-revision", "Stale revision", []int{412}, true},
	{"body-too-large", "Request body too large", []int{413}, true},
	{"over-limit", "File limit exceeded", []int{413}, false},
	{"code-too-large", "Code too large", []int{413}, false},
	{"args-too-large", "Arguments too large", []int{413}, false},
	{"unsupported-type", "Unsupported media type", []int{415}, true},
	{"bad-field", "Invalid value", []int{422}, false},
	{"bad-archive", "Invalid archive", []int{422}, false},
	{"bad-path", "Invalid file path", []int{422}, false},
	{"bad-policy", "Invalid policy", []int{422}, false},
	{"bad-package", "Unavailable package", []int{422}, false},
	{"too-many-requests", "Rate limit exceeded", []int{429}, true},
	{"too-many-executions", "Too many executions", []int{429}, false},
	{"too-many-streams", "Too many open streams", []int{429, 503}, false},
	{"internal", "Internal server error", []int{500}, true},
	{"registry", "Package registry failure", []int{502}, false},
	{"busy", "Server busy", []int{503}, true},
	{"full", "Too many sandboxes", []int{503}, false},
	{"store-full", "File store full", []int{507}, false},
}

func titleOf(name string) string {
	for _, c := range Codes {
		if c.Name == name {
			return c.Title
		}
	}
	return ""
}

// RefusalOf translates an error of the packages below into what clients are told. It returns
// other errors as they are.
func RefusalOf(err error) error {
	var archive *vfs.ArchiveError
	var path *vfs.PathError
	var limit *vfs.LimitError
	var spec *sandbox.SpecError
	var stale *sandbox.StaleError
	var execution *sandbox.ExecutionError
	switch mistakes, isPolicy := errors.AsType[rules.Errors](err); {
	case isPolicy:
		return Refuse(http.StatusUnprocessableEntity, "bad-policy", "The policy is invalid, and was not applied. First mistake: %v.", mistakes[0])
	case errors.As(err, &archive):
		return Refuse(http.StatusUnprocessableEntity, "bad-archive", "The archive is invalid: %s. %s", archive.Reason, sentence(archive.Hint))
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return Refuse(http.StatusNotFound, "unknown-file", "%s", AboutPath(path))
	case errors.As(err, &path):
		return Refuse(http.StatusUnprocessableEntity, "bad-path", "%s", AboutPath(path))
	case errors.As(err, &limit) && limit.What == vfs.LimitStore:
		return Refuse(http.StatusInsufficientStorage, "store-full", "The server rejected the files: %v. Files that a change has replaced still count for %s.", limit, sandbox.OutgoingTime)
	case errors.As(err, &limit):
		return Refuse(http.StatusRequestEntityTooLarge, "over-limit", "The server rejected the files: %v.", limit)
	case errors.As(err, &spec):
		return Refuse(http.StatusUnprocessableEntity, "bad-field", "%s", sentence(spec.Reason))
	case errors.As(err, &stale):
		return Refuse(http.StatusPreconditionFailed, "stale-revision", "The sandbox has revision %d, but the request expects revision %d. Read the sandbox again, and repeat the change.", stale.Revision, stale.Expected)
	case errors.As(err, &execution):
		return Refuse(statusOf(execution), string(execution.Code), "%s", execution.Reason)
	case errors.Is(err, sandbox.ErrNotWarm):
		return Refuse(http.StatusConflict, "not-warm", "The sandbox is not warm: it already has files. Change them with the operations for files, or fill another sandbox.")
	case errors.Is(err, sandbox.ErrRemoved):
		return UnknownSandbox()
	}
	return err
}

// AboutPath returns sentences that say what is wrong with a path, and what to do.
func AboutPath(err *vfs.PathError) string {
	return fmt.Sprintf("The path %.200q was rejected: %s. %s", err.Path, err.Reason, sentence(err.Hint))
}

// sentence turns an error's text into a sentence.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// statusOf returns the HTTP status for an execution that never began.
func statusOf(e *sandbox.ExecutionError) int {
	switch e.Code {
	case sandbox.CodeBadID:
		return http.StatusUnprocessableEntity
	case sandbox.CodeExists:
		return http.StatusConflict
	case sandbox.CodeTooLarge, sandbox.CodeArgsTooLarge:
		return http.StatusRequestEntityTooLarge
	case sandbox.CodeTooMany:
		return http.StatusTooManyRequests
	default:
		return http.StatusBadRequest
	}
}

// NewProblem returns the problem that tells a client of a refusal. err is the error that
// [RefusalOf] translated, and has what only some problems tell.
func NewProblem(refusal *Refusal, err error) *Problem {
	p := &Problem{
		Type: ProblemTypes + refusal.Code, Title: titleOf(refusal.Code), Status: refusal.Status, Code: refusal.Code, Detail: refusal.Text, Pointer: refusal.Pointer,
	}
	if stale, ok := errors.AsType[*sandbox.StaleError](err); ok {
		p.Revision = stale.Revision
	}
	if spec, ok := errors.AsType[*sandbox.SpecError](err); ok {
		p.Pointer = "/" + spec.Field
	}
	if execution, ok := errors.AsType[*sandbox.ExecutionError](err); ok && execution.Code == sandbox.CodeBadID {
		p.Pointer = "/id"
	}
	mistakes, _ := errors.AsType[rules.Errors](err)
	for _, m := range mistakes {
		if len(p.Mistakes) == MaxMistakes {
			break
		}
		p.Mistakes = append(p.Mistakes, Mistake{File: m.File, Line: m.Line, Column: m.Col, Message: m.Msg, Hint: m.Hint, Source: cutSource(m.Source)})
	}
	return p
}

// MaxMistakes is how many mistakes of a policy are reported. A hostile policy has millions.
const MaxMistakes = 100

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
