package protocol

import "encoding/json"

// Phase is how far the boot of a view has come.
type Phase string

// The phases of a boot, in order; a boot ends in one of the last two.
const (
	PhaseStarted Phase = "started"
	// PhaseWaiting: the boot waits for what its Stage names.
	PhaseWaiting Phase = "waiting"
	PhaseReady   Phase = "ready"
	PhaseFailed  Phase = "failed"
)

// Stage is what a boot waits for. Each has a deadline of its own, and the boot that
// misses it fails with the stage's own code.
type Stage string

// The stages of a boot.
const (
	// StagePage: the boot page itself loads.
	StagePage Stage = "page"
	// StageRegister: the browser registers the worker, or removes one.
	StageRegister Stage = "register"
	// StageControl: the worker takes control of the page.
	StageControl Stage = "control"
	// StageState: the worker answers, for which it needs its state.
	StageState Stage = "state"
	// StageOuter: the outer frame says that it listens.
	StageOuter Stage = "outer"
	// StageEntry: the sandbox's own document loads.
	StageEntry Stage = "entry"
)

// Containment says what the browser was seen to enforce.
type Containment string

// The levels of containment. The zero value claims nothing.
const (
	// ContainmentUnknown: not probed yet.
	ContainmentUnknown Containment = ""
	// ContainmentCSP: Connection-Allowlist was seen not to be enforced, or the
	// probe gave no answer. Preconnect, DNS prefetch and, in some browsers,
	// WebRTC stay open.
	ContainmentCSP Containment = "csp"
	// ContainmentAllowlist: Connection-Allowlist was seen to refuse a connection,
	// which leaves WebRTC and hints that outlive their document: see
	// docs/threat-model.md. No browser is known that contains more.
	ContainmentAllowlist Containment = "allowlist"
	// ContainmentAudit: the policy lets pass what no rule matches, so nothing is
	// contained, whatever the browser enforces.
	ContainmentAudit Containment = "audit"
)

// BootCode is the reason why nothing runs.
type BootCode string

// The reason codes of a failed boot.
const (
	// BootInsecureContext: the page is not a secure context, so there are no workers.
	BootInsecureContext BootCode = "insecure-context"
	// BootWorkerUnsupported: the browser has no service workers here.
	BootWorkerUnsupported BootCode = "worker-unsupported"
	// BootStorageBlocked: the browser refuses storage to a framed site.
	BootStorageBlocked BootCode = "storage-blocked"
	// BootNoOrigin: a sandbox attribute around the page lacks allow-same-origin, so that
	// the page has no origin and no worker.
	BootNoOrigin BootCode = "no-origin"
	// BootWorkerRefused: the registration failed, for instance because the script could not be loaded.
	BootWorkerRefused BootCode = "worker-refused"
	// BootPageTimeout: the boot page did not load, or stopped answering, within its deadline.
	BootPageTimeout BootCode = "page-timeout"
	// BootRegisterTimeout: the browser did not register the worker in time, twice.
	BootRegisterTimeout BootCode = "register-timeout"
	// BootControlTimeout: the worker did not take control in time, twice.
	BootControlTimeout BootCode = "control-timeout"
	// BootStateTimeout: the worker did not answer in time, twice.
	BootStateTimeout BootCode = "state-timeout"
	// BootOuterTimeout: the boot page waited too long for the outer frame.
	BootOuterTimeout BootCode = "outer-timeout"
	// BootEntryTimeout: neither did the sandbox's document load in time nor did its
	// client script say anything.
	BootEntryTimeout BootCode = "entry-timeout"
	// BootStateUnreachable: the worker runs but cannot get its rules and files from the server.
	BootStateUnreachable BootCode = "state-unreachable"
	// BootVersionMismatch: a worker of another version stays in control, also after the repair.
	BootVersionMismatch BootCode = "version-mismatch"
	// BootLoop: the worker was in control, yet the server was asked for the document again and again.
	BootLoop BootCode = "boot-loop"
	// BootContainmentMissing: the policy demands more containment than the browser gives.
	BootContainmentMissing BootCode = "containment-missing"
	// BootLeft: the view was running and tried to navigate to another origin. The
	// browser refused and ended the document.
	BootLeft BootCode = "navigation-blocked"
	// BootFlood: documents of the sandbox sent the outer frame more messages than it reads.
	BootFlood BootCode = "message-flood"
	// BootCrashed: the browser's process in which the view ran has ended.
	BootCrashed BootCode = "crashed"
	// BootAppRefused: the server rejected the MCP App that the host handed in.
	BootAppRefused BootCode = "app-refused"
	// BootGone: the server knows no such sandbox any more. It was removed, or the
	// server was started anew. With a state other than failed what has been loaded
	// runs on, and no more of it can be.
	BootGone BootCode = "sandbox-gone"
)

// Boot is what the boot page tells the outer frame by postMessage.
type Boot struct {
	Kind     Kind[kindBoot] `json:"kind"`
	Protocol int            `json:"protocol"`
	Phase    Phase          `json:"phase"`
	// View is true for the boot page itself (BootPath), which goes to the entry
	// when it is ready; false where a document found itself without a worker and
	// will load itself again.
	View bool `json:"view"`
	// Enough is there where the phase is PhaseStarted: the levels of containment that
	// the policy takes with which the page was served.
	Enough []Containment `json:"enough,omitempty"`
	// Controlled is there where the phase is PhaseReady: a service worker is in control.
	Controlled bool `json:"controlled,omitempty"`
	// Stage is there where the phase is PhaseWaiting.
	Stage Stage `json:"stage,omitempty"`
	// Code is there where the phase is PhaseFailed. The outer frame has the words.
	Code BootCode `json:"code,omitempty"`
}

// Listening is the outer frame's word to the boot page of a view that it hears it.
// Either may be there first, so the outer frame says it when it begins and again to
// each boot page that begins; without it none goes on.
type Listening struct {
	Kind Kind[kindListening] `json:"kind"`
	// Containment is what the outer frame saw the browser enforce, "" until it has.
	// Where a policy demands a level, no boot page goes on before it has heard one.
	Containment Containment `json:"containment"`
}

// Open is a message from the outer frame to the boot page of a view that waits for its entry.
type Open struct {
	Kind  Kind[kindOpen] `json:"kind"`
	Going Going          `json:"going"`
}

// Going tells a boot page whether to navigate to the entry.
type Going string

const (
	// GoingAhead: navigate when ready, if a worker is in control. The worker holds the
	// navigation until the entry exists.
	GoingAhead Going = "ahead"
	// GoingNow: the entry exists; navigate.
	GoingNow Going = "now"
	// GoingNowhere: stop the navigation and send PhaseReady again.
	GoingNowhere Going = "nowhere"
)

// Demand is the server's word to the outer frame, on the stream of events: what the
// policy in force demands. It is the first on each stream, and comes again with each
// policy that demands another.
type Demand struct {
	Kind Kind[kindDemand] `json:"kind"`
	// Enough are the levels that the policy takes: in a browser that gives none of
	// them nothing may run.
	Enough []Containment `json:"enough"`
	// Audit: the policy only audits.
	Audit bool `json:"audit"`
}

// Hello hands the outer frame a MessagePort, once for every document of a view.
// From then on reports travel on that port.
type Hello struct {
	Kind     Kind[kindHello] `json:"kind"`
	Protocol int             `json:"protocol"`
}

// Ping is the outer frame's question whether a document still runs: to the view's own
// on its port, to the frame for executions as a message.
type Ping struct {
	Kind Kind[kindPing] `json:"kind"`
}

// Pong is the answer to [Ping].
type Pong struct {
	Kind Kind[kindPong] `json:"kind"`
}

// Bye is the last word of a document that goes away, and answers no more.
type Bye struct {
	Kind Kind[kindBye] `json:"kind"`
}

// HeightLimit is the largest height, in CSS pixels, that a [Size] can have. A taller
// document scrolls in its frame.
const HeightLimit = 32_767

// Measure asks for the height of the view's own document, again whenever it changes, or
// for no more of it. The embedder tells it to the outer frame, and that to the document on
// its port. Nothing is measured before.
type Measure struct {
	Kind Kind[kindMeasure] `json:"kind"`
	On   bool              `json:"on"`
}

// Size tells the height, on the way back: what the document needs to show all of its
// content, in whole CSS pixels from 1 to HeightLimit. It is the word of the page, which
// the outer frame bounds.
type Size struct {
	Kind   Kind[kindSize] `json:"kind"`
	Height int            `json:"height"`
}

// Level is a console method's severity.
type Level string

// The console levels that are relayed.
const (
	LevelDebug Level = "debug"
	LevelLog   Level = "log"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// Place is a position in a script or document.
type Place struct {
	// URL is as the browser gave it.
	URL string `json:"url,omitempty"`
	// Line counts from 1. It is 0 if it is not known.
	Line int `json:"line,omitempty"`
	// Col is the column. It counts from 1, and is 0 if it is not known.
	Col int `json:"col,omitempty"`
}

// ConsoleReport is one call of a console method. Text is the arguments as
// text, joined by a space and cut at a stated length by the client.
type ConsoleReport struct {
	Kind  Kind[kindConsole] `json:"kind"`
	Level Level             `json:"level"`
	Text  string            `json:"text"`
	Place
}

// ErrorReport is an uncaught exception or an unhandled rejection.
type ErrorReport struct {
	Kind  Kind[kindError] `json:"kind"`
	Text  string          `json:"text"`
	Stack string          `json:"stack,omitempty"`
	Place
}

// Feature is what a browser refuses a sandboxed page beside requests: the name of the
// grant that it lacks, or of what nothing grants. In a violation it stands for the
// directive.
type Feature string

// The features whose use by a page is reported.
const (
	FeatureModals         Feature = "allow-modals"
	FeaturePopups         Feature = "allow-popups"
	FeatureDownloads      Feature = "allow-downloads"
	FeatureClipboardRead  Feature = "clipboard-read"
	FeatureClipboardWrite Feature = "clipboard-write"
	FeatureFullscreen     Feature = "fullscreen"
	FeatureGeolocation    Feature = "geolocation"
	// These two have no name of a grant.
	FeatureServiceWorker Feature = "service-worker"
	FeatureCookies       Feature = "cookies"
)

// ViolationReport is a securitypolicyviolation event: the browser itself
// refused something before the worker could see it. Target is the blocked URL
// (or a keyword such as "inline"), Directive the effective directive. Or it is the use of
// a [Feature]: Target is the URL or the name of what was called.
type ViolationReport struct {
	Kind      Kind[kindViolation] `json:"kind"`
	Target    string              `json:"target"`
	Directive string              `json:"directive"`
	Place
}

// Reports is what travels on the port: reports in the order they were made, and
// the count of those that were cut.
type Reports struct {
	Dropped int `json:"dropped"`
	// Reports are members of the PageReport union.
	Reports []json.RawMessage `json:"reports" ts:"readonly PageReport[]"`
}

// OuterReports is what the outer frame tells the server.
type OuterReports struct {
	Dropped int `json:"dropped"`
	// Page is what the sandbox's page reported, members of the PageReport union.
	Page []json.RawMessage `json:"page" ts:"readonly PageReport[]"`
	// Outer is what the outer frame saw itself: navigations out of the view that
	// its own policy made the browser refuse.
	Outer []ViolationReport `json:"outer"`
}
