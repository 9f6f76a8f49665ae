package sw

import (
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// WorkerConfig is written into the worker's script.
type WorkerConfig struct {
	// Secret goes into protocol.SecretHeader of the worker's requests to addresses of
	// its own, Key into protocol.KeyHeader of those that a page's address may be in.
	Secret string `json:"secret"`
	Key    string `json:"key"`
	// Incarnation names the sandbox whose secret and key these are, among those that
	// have had its id.
	Incarnation string `json:"incarnation"`
	// Bundle is the hash of the worker's code.
	Bundle string `json:"bundle"`
	// Policy names the policy headers that this script was served with. They
	// bind the worker's own requests as long as it lives.
	Policy string `json:"policy"`
	// Refusal is the header set of the worker's own error answers.
	Refusal map[string]string `json:"refusal"`
	// Prelude stands ahead of each dedicated and shared worker's script.
	Prelude string `json:"prelude"`
	// Client is the end of the client script, after State.Client.
	Client string `json:"client"`
}

// State is all that the worker knows. It is fetched whole and replaced whole.
type State struct {
	Protocol int   `json:"protocol"`
	Revision int64 `json:"revision"`
	// Policy names the headers that the worker's script must have been served
	// with in this revision. A worker with another lets itself be replaced
	// before it serves a document.
	Policy string `json:"policy"`
	// Headers is the policy header set of every virtual file.
	Headers map[string]string `json:"headers"`
	// Client is the beginning of the client script, which stands in every document. It is ""
	// if the policy allows no inline script: then documents load the script.
	Client string `json:"client"`
	// KeepsAnswers: Firefox's worker hands on answers of other hosts with all their
	// headers. A document without 'self' in its policy would get none otherwise.
	KeepsAnswers bool `json:"keepsAnswers"`
	// Program is in base64.
	Program *rules.Program `json:"program"`
	// Fallback is the path of the file that answers a navigation to a path
	// which has no file, "" for none.
	Fallback string `json:"fallback"`
	// Waits: the sandbox has no file yet, because its MCP App is still to come. The worker
	// holds a document back until then.
	Waits bool   `json:"waits"`
	Files []File `json:"files"`
}

// File is a virtual file: absolute path, SHA-256 in hexadecimal, size in bytes
// and MIME type.
type File struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

// Verdict is one request that the worker saw, and what became of it. Status is
// the HTTP status that the page got, 0 for a network error or if the answer is Opaque.
type Verdict struct {
	Time        time.Time `json:"time"`
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Destination string    `json:"destination"`
	// Type is the one that the request was judged as, "" for one that no rule can allow.
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
	// Execution is the id of the execution that made the request, "" for a page.
	Execution string `json:"execution"`
}

// Batch is verdicts in the order they fell. Dropped counts those that the
// worker could not keep.
type Batch struct {
	Dropped  int       `json:"dropped"`
	Verdicts []Verdict `json:"verdicts"`
}
