package protocol

// WorkerHello is the worker's answer to the boot page, at HelloPath.
type WorkerHello struct {
	Protocol int `json:"protocol"`
	// Bundle is the hash of the worker's code.
	Bundle string `json:"bundle"`
	// Incarnation names the sandbox whose secret the worker has.
	Incarnation string `json:"incarnation"`
	Revision    int64  `json:"revision"`
	// Current is false if the worker's script was served with the policy of an earlier
	// revision.
	Current bool `json:"current"`
}

// BlockNotice tells the page which of its requests the worker blocked, for its console. The
// page can send itself such a message, so nothing else may depend on it.
type BlockNotice struct {
	Kind   Kind[kindBlocked] `json:"kind"`
	Method string            `json:"method"`
	URL    string            `json:"url"`
	Rule   string            `json:"rule"`
	Code   string            `json:"code"`
	Reason string            `json:"reason"`
	File   string            `json:"file"`
	Line   int               `json:"line"`
}

// BatchSize is the largest number of verdicts or reports that the browser's programs send at
// once.
const BatchSize = 200

// AnswerCode is the outcome of a request that no rule blocked. All other codes of verdicts are
// those of package rules.
type AnswerCode string

// The codes. All except AnswerVirtual, AnswerNetworkError, and AnswerRedirect are for requests
// for a virtual file that returned no file.
const (
	// AnswerVirtual means that the page got a virtual file.
	AnswerVirtual AnswerCode = "virtual"
	// AnswerNetworkError means that no answer came from an allowed host.
	AnswerNetworkError AnswerCode = "network-error"
	// AnswerRedirect means that an allowed host answered with a redirect, which is blocked.
	AnswerRedirect AnswerCode = "redirect"

	AnswerBadPath          AnswerCode = "bad-path"
	AnswerNotFound         AnswerCode = "not-found"
	AnswerMethodNotAllowed AnswerCode = "method-not-allowed"
	// AnswerNotJavaScript means that the file is source text that no browser runs.
	AnswerNotJavaScript       AnswerCode = "not-javascript"
	AnswerRangeNotSatisfiable AnswerCode = "range-not-satisfiable"
	// AnswerFileChanged means that the file on disk differs from the file of the revision.
	AnswerFileChanged AnswerCode = "file-changed"
)

// AnswerCodes lists all codes.
var AnswerCodes = []AnswerCode{
	AnswerVirtual, AnswerNetworkError, AnswerRedirect, AnswerBadPath, AnswerNotFound, AnswerMethodNotAllowed, AnswerNotJavaScript, AnswerRangeNotSatisfiable, AnswerFileChanged,
}
