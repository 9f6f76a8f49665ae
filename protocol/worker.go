package protocol

// WorkerHello is the worker's answer to the boot page, at HelloPath.
type WorkerHello struct {
	Protocol int `json:"protocol"`
	// Bundle is the hash of the worker's code.
	Bundle string `json:"bundle"`
	// Incarnation names the sandbox whose secret the worker has.
	Incarnation string `json:"incarnation"`
	Revision    int64  `json:"revision"`
	// Current is false when the worker's script came with the policy of an
	// earlier revision.
	Current bool `json:"current"`
}

// BlockNotice tells the page which of its requests the worker blocked, for its
// console. The page could have sent itself one, so it means nothing more.
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

// BatchSize is how many verdicts or reports the browser's programs send at once.
const BatchSize = 200

// AnswerCode says what became of a request that no rule blocked. All other codes of
// verdicts are those of package rules.
type AnswerCode string

// The codes. All but AnswerVirtual, AnswerNetworkError and AnswerRedirect are of requests
// for a virtual file that got none.
const (
	// AnswerVirtual: the page got a virtual file.
	AnswerVirtual AnswerCode = "virtual"
	// AnswerNetworkError: no answer of an allowed host came.
	AnswerNetworkError AnswerCode = "network-error"
	// AnswerRedirect: an allowed host answered with a redirect, which is blocked.
	AnswerRedirect AnswerCode = "redirect"

	AnswerBadPath          AnswerCode = "bad-path"
	AnswerNotFound         AnswerCode = "not-found"
	AnswerMethodNotAllowed AnswerCode = "method-not-allowed"
	// AnswerNotJavaScript: the file is source text that no browser runs.
	AnswerNotJavaScript       AnswerCode = "not-javascript"
	AnswerRangeNotSatisfiable AnswerCode = "range-not-satisfiable"
	// AnswerFileChanged: the file on disk is no longer that of the revision.
	AnswerFileChanged AnswerCode = "file-changed"
)

// AnswerCodes lists all codes.
var AnswerCodes = []AnswerCode{
	AnswerVirtual, AnswerNetworkError, AnswerRedirect, AnswerBadPath, AnswerNotFound, AnswerMethodNotAllowed, AnswerNotJavaScript, AnswerRangeNotSatisfiable, AnswerFileChanged,
}
