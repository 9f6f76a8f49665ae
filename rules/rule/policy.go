package rule

// A Policy is the contents of a policy's files. The zero Policy blocks everything.
type Policy struct {
	// Name is usually the name of the policy's own file.
	Name string
	Mode Mode
	// Containment is what the browser must enforce. Otherwise nothing runs.
	Containment Containment
	// Worker says what happens to a sandbox in a browser that refuses the service worker.
	Worker Worker
	// Layers are the files: first the policy's own, then the files that it includes.
	Layers []Layer
	// Scripts lists the ways to run script that the browser allows, in file order.
	Scripts []Script
	// Rules are the rules of all layers, in the order of layers and positions. The order
	// matters only for which of several matching rules a verdict names.
	Rules []Rule
	Tests []Test
}

// Mode says what happens to a request that no rule matches.
type Mode string

// The modes. The zero value enforces.
const (
	ModeEnforce Mode = "enforce"
	// ModeAudit lets the request pass and logs it, so that an author learns what a page
	// requests. It contains nothing.
	ModeAudit Mode = "audit"
)

// Modes lists all modes.
var Modes = []Mode{ModeEnforce, ModeAudit}

// Containment is how much of a policy a browser enforces itself, with or without the worker.
// The level of a browser is measured when a view begins.
type Containment string

// The levels. The zero value is csp.
const (
	// ContainmentCSP means Content-Security-Policy, which every browser has. It does not cover
	// preconnect, DNS prefetch, and WebRTC.
	ContainmentCSP Containment = "csp"
	// ContainmentAllowlist means Connection-Allowlist as well. It does not cover WebRTC, or
	// hints that outlive their document.
	ContainmentAllowlist Containment = "allowlist"
	// ContainmentFull means that nothing gets out. No known browser provides it.
	ContainmentFull Containment = "full"
)

// Containments lists all levels, from the weakest to the strongest.
var Containments = []Containment{ContainmentCSP, ContainmentAllowlist, ContainmentFull}

// Worker says whether a sandbox needs the service worker.
type Worker string

// The values of Worker. The zero value means required.
const (
	// WorkerRequired means that nothing runs in a browser that refuses the worker.
	WorkerRequired Worker = "required"
	// WorkerPreferred means that a sandbox also runs in such a browser, with only the rules
	// that the browser's own policies enforce exactly.
	WorkerPreferred Worker = "preferred"
)

// Workers lists both values.
var Workers = []Worker{WorkerRequired, WorkerPreferred}

// A Layer is one file of a policy.
type Layer struct {
	File string
	// Ceiling means that the layer's allow rules give nothing, and bound what the allow rules
	// of other layers give.
	Ceiling bool
}

// A Test is a request and the verdict that its author expects.
type Test struct {
	Request Request
	Expect  Action
	// Rule is the id of the rule that must decide, or "" for any.
	Rule  string
	Layer int
	Pos   Pos
}

// A Script is a way to run script. A policy must name it to allow it.
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
