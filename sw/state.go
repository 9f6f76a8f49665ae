package sw

import (
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// WorkerConfig is written into the worker's script.
type WorkerConfig struct {
	// Secret goes into protocol.SecretHeader of requests to the worker's own endpoints. Key
	// goes into protocol.KeyHeader of requests whose address page code may have chosen.
	Secret string `json:"secret"`
	Key    string `json:"key"`
	// Incarnation names the sandbox that the secret and the key belong to, among the sandboxes
	// that have had its ID.
	Incarnation string `json:"incarnation"`
	// Bundle is the hash of the worker's code.
	Bundle string `json:"bundle"`
	// Policy names the policy headers that this script was served with. They bind the worker's
	// own requests as long as it lives.
	Policy string `json:"policy"`
	// Refusal is the header set of the worker's own error answers.
	Refusal map[string]string `json:"refusal"`
	// Prelude precedes the script of each dedicated and shared worker.
	Prelude string `json:"prelude"`
	// Client is the text of the client script and its end tag, after State.Client.
	Client string `json:"client"`
}

// State is everything that the worker knows. It is fetched whole and replaced whole.
type State struct {
	Protocol int   `json:"protocol"`
	Revision int64 `json:"revision"`
	// Policy names the headers that the worker's script must have been served with in this
	// revision. A worker with another policy lets itself be replaced before it serves a
	// document.
	Policy string `json:"policy"`
	// Headers is the policy header set of every virtual file.
	Headers map[string]string `json:"headers"`
	// Client is the start tag of the client script, which the worker inserts into every
	// document. It names the revision.
	Client string `json:"client"`
	// KeepsAnswers makes the worker in Firefox return responses of other hosts with all their
	// headers. Otherwise a document whose policy lacks 'self' would get none of them.
	KeepsAnswers bool `json:"keepsAnswers"`
	// Program is encoded in base64.
	Program *rules.Program `json:"program"`
	// Fallback is the path of the file that answers navigations to paths without a file. It is
	// "" if there is none.
	Fallback string `json:"fallback"`
	// Waits says that the sandbox has no file yet, because its MCP App has not arrived. The
	// worker then sends a document's headers at once, and its body when the app is there.
	Waits bool `json:"waits"`
	// Continues is the revision that brought the app, if the headers of such a document are
	// right for it, and otherwise 0. Later revisions keep the value.
	Continues int64  `json:"continues"`
	Files     []File `json:"files"`
	// Links has the header Link of pages, by path. Package compile makes them.
	Links map[string]string `json:"links"`
}

// File is a virtual file. Path is absolute, Hash is the SHA-256 in hexadecimal, Size is in
// bytes, and Type is the MIME type.
type File struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

// VerdictReport is one request that the worker saw, and its outcome. Status is the HTTP status that
// the page got. It is 0 for a network error or if the response is Opaque.
type VerdictReport struct {
	Time        time.Time `json:"time"`
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Destination string    `json:"destination"`
	// Type is the request type that the decision used, or "" for a request that no rule can
	// allow.
	Type     rules.Type      `json:"type" ts:"string"`
	Virtual  bool            `json:"virtual"`
	Status   int             `json:"status"`
	Opaque   bool            `json:"opaque"`
	Revision int64           `json:"revision"`
	Action   protocol.Action `json:"action"`
	Rule     string          `json:"rule"`
	Code     string          `json:"code"`
	Reason   string          `json:"reason"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	// Execution is the address of the execution that made the request, or "" for a page.
	Execution string `json:"execution"`
}

// Batch holds verdicts in the order in which they were made. Dropped counts the verdicts that
// the worker could not keep.
type Batch struct {
	Dropped  int             `json:"dropped"`
	Verdicts []VerdictReport `json:"verdicts"`
}
