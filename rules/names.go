package rules

import (
	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/program"
	"github.com/bellglass/bellglass/rules/rule"
)

// The contents of a policy, and the decisions on requests: see package rule.
type (
	Action      = rule.Action
	Code        = rule.Code
	Containment = rule.Containment
	Enforcer    = rule.Enforcer
	Host        = rule.Host
	Layer       = rule.Layer
	Mode        = rule.Mode
	Part        = rule.Part
	Pattern     = rule.Pattern
	Pos         = rule.Pos
	Request     = rule.Request
	Rule        = rule.Rule
	Script      = rule.Script
	Segment     = rule.Segment
	Target      = rule.Target
	Test        = rule.Test
	Type        = rule.Type
	Verdict     = rule.Verdict
	Worker      = rule.Worker
)

// The compiled forms of a policy: see packages program and browser.
type (
	Match      = program.Match
	Program    = program.Program
	Report     = browser.Report
	Reporter   = browser.Reporter
	RuleSource = browser.RuleSource
)

// The two actions.
const (
	Block = rule.Block
	Allow = rule.Allow
)

// The modes.
const (
	ModeEnforce = rule.ModeEnforce
	ModeAudit   = rule.ModeAudit
)

// The levels of containment.
const (
	ContainmentCSP       = rule.ContainmentCSP
	ContainmentAllowlist = rule.ContainmentAllowlist
	ContainmentFull      = rule.ContainmentFull
)

// The values of the key worker.
const (
	WorkerRequired  = rule.WorkerRequired
	WorkerPreferred = rule.WorkerPreferred
)

// The enforcers.
const (
	EnforcedByBrowser = rule.EnforcedByBrowser
	EnforcedByWorker  = rule.EnforcedByWorker
)

// The ways to run script.
const (
	ScriptInline = rule.ScriptInline
	ScriptEval   = rule.ScriptEval
	ScriptWasm   = rule.ScriptWasm
	ScriptBlob   = rule.ScriptBlob
)

// The request types.
const (
	TypeFetch     = rule.TypeFetch
	TypeScript    = rule.TypeScript
	TypeStyle     = rule.TypeStyle
	TypeImage     = rule.TypeImage
	TypeFont      = rule.TypeFont
	TypeMedia     = rule.TypeMedia
	TypeFrame     = rule.TypeFrame
	TypeWorker    = rule.TypeWorker
	TypeWebSocket = rule.TypeWebSocket
)

// The codes of verdicts.
const (
	CodeRule              = rule.CodeRule
	CodeDefault           = rule.CodeDefault
	CodeAudit             = rule.CodeAudit
	CodeCeiling           = rule.CodeCeiling
	CodePrivateAddress    = rule.CodePrivateAddress
	CodeNoncanonical      = rule.CodeNoncanonical
	CodeTooLong           = rule.CodeTooLong
	CodeUnsupportedScheme = rule.CodeUnsupportedScheme
	CodeUnsupportedType   = rule.CodeUnsupportedType
	CodeNoProgram         = rule.CodeNoProgram
)

// The closed lists of words, in the order of package rule.
var (
	Codes        = rule.Codes
	Containments = rule.Containments
	Enforcers    = rule.Enforcers
	Methods      = rule.Methods
	Modes        = rule.Modes
	Scripts      = rule.Scripts
	Types        = rule.Types
	Workers      = rule.Workers
)
