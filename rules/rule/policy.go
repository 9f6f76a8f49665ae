package rule

// A Policy is what the files of a policy say. The zero Policy blocks all.
type Policy struct {
	// Name is usually that of the policy's own file.
	Name string
	Mode Mode
	// Containment is what the browser must enforce, or nothing runs.
	Containment Containment
	// Worker says what becomes of a sandbox in a browser that refuses the service worker.
	Worker Worker
	// Layers are the files: the policy's own first, then those that it includes.
	Layers []Layer
	// Scripts broadens which script the browser may run, in file order.
	Scripts []Script
	// Rules are those of all layers, in the order of layers and places, which
	// matters only for which of several matching rules a verdict names.
	Rules []Rule
	Tests []Test
}

// Mode says what becomes of a request that no rule matches.
type Mode string

// The modes. The zero value enforces.
const (
	ModeEnforce Mode = "enforce"
	// ModeAudit lets it pass and logs it, so that an author learns what a page
	// wants. It contains nothing.
	ModeAudit Mode = "audit"
)

// Modes lists all modes.
var Modes = []Mode{ModeEnforce, ModeAudit}

// Containment is how much of a policy a browser enforces itself, with or without
// the worker. Which it is, is measured when a view begins.
type Containment string

// The levels. The zero value is csp.
const (
	// ContainmentCSP: Content-Security-Policy, which every browser has. It knows
	// nothing of preconnect, DNS prefetch and WebRTC.
	ContainmentCSP Containment = "csp"
	// ContainmentAllowlist: Connection-Allowlist as well, which leaves WebRTC and
	// hints that outlive their document.
	ContainmentAllowlist Containment = "allowlist"
	// ContainmentFull: nothing gets out. No browser is known to give it.
	ContainmentFull Containment = "full"
)

// Containments lists all levels, each of which is more than those before it.
var Containments = []Containment{ContainmentCSP, ContainmentAllowlist, ContainmentFull}

// Worker says whether a sandbox needs the service worker.
type Worker string

// The needs. The zero value requires it.
const (
	// WorkerRequired: nothing runs in a browser that refuses the worker.
	WorkerRequired Worker = "required"
	// WorkerPreferred: there a sandbox runs under the rules that the browser's own
	// policies hold exactly.
	WorkerPreferred Worker = "preferred"
)

// Workers lists both.
var Workers = []Worker{WorkerRequired, WorkerPreferred}

// A Layer is one file of a policy.
type Layer struct {
	File string
	// Ceiling: the layer's allow rules give nothing, and bound what those of
	// other layers give.
	Ceiling bool
}

// A Test is a request and the verdict on it that its author expects.
type Test struct {
	Request Request
	Expect  Action
	// Rule is the id of the rule that is to decide, or "" for any.
	Rule  string
	Layer int
	Pos   Pos
}

// A Script is a way to run script that a policy must name to have it.
type Script string

// The ways to run script.
const (
	ScriptInline Script = "inline" // <script> elements with text, event handler attributes
	ScriptEval   Script = "eval"   // eval, new Function; includes WebAssembly
	ScriptWasm   Script = "wasm"   // WebAssembly compilation
	ScriptBlob   Script = "blob"   // scripts, workers and frames from blob: URLs
)

// Scripts lists all ways to run script.
var Scripts = []Script{ScriptInline, ScriptEval, ScriptWasm, ScriptBlob}
