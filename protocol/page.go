package protocol

import "encoding/json"

// Phase is the progress of the boot of a view.
type Phase string

// The phases of a boot, in order. A boot ends in one of the last two.
const (
	PhaseStarted Phase = "started"
	// PhaseWaiting means that the boot waits for what its Stage names.
	PhaseWaiting Phase = "waiting"
	PhaseReady   Phase = "ready"
	PhaseFailed  Phase = "failed"
)

// Stage is what a boot waits for. Each stage has its own deadline. A boot that misses it fails
// with the stage's own code.
type Stage string

// The stages of a boot.
const (
	// StagePage waits for the boot page itself to load.
	StagePage Stage = "page"
	// StageRegister waits for the browser to register the worker, or to remove one.
	StageRegister Stage = "register"
	// StageControl waits for the worker to take control of the page.
	StageControl Stage = "control"
	// StageState waits for an answer of the worker, for which the worker needs its state.
	StageState Stage = "state"
	// StageOuter waits for the outer frame to say that it listens.
	StageOuter Stage = "outer"
	// StageEntry waits for the sandbox's own document to load.
	StageEntry Stage = "entry"
)

// Containment is what the browser was observed to enforce.
type Containment string

// The levels of containment. The zero value claims nothing.
const (
	// ContainmentUnknown means that the browser has not been probed yet.
	ContainmentUnknown Containment = ""
	// ContainmentCSP means that the browser was observed not to enforce Connection-Allowlist,
	// or that the probe gave no answer. Preconnect, DNS prefetch, and, in some browsers,
	// WebRTC stay open.
	ContainmentCSP Containment = "csp"
	// ContainmentAllowlist means that Connection-Allowlist was observed to block a connection.
	// That leaves WebRTC, and hints that outlive their document: see docs/threat-model.md. No
	// known browser contains more.
	ContainmentAllowlist Containment = "allowlist"
	// ContainmentAudit means that the policy lets requests pass that no rule matches. So
	// nothing is contained, whatever the browser enforces.
	ContainmentAudit Containment = "audit"
)

// BootCode says why nothing runs.
type BootCode string

// The reason codes of a failed boot.
const (
	// BootInsecureContext means that the page is not a secure context, so there are no
	// workers.
	BootInsecureContext BootCode = "insecure-context"
	// BootWorkerUnsupported means that the browser has no service workers here.
	BootWorkerUnsupported BootCode = "worker-unsupported"
	// BootStorageBlocked means that the browser refuses storage to a framed site.
	BootStorageBlocked BootCode = "storage-blocked"
	// BootNoOrigin means that a sandbox attribute around the page lacks allow-same-origin. So
	// the page has no origin and no worker.
	BootNoOrigin BootCode = "no-origin"
	// BootWorkerRefused means that the registration failed, for instance because the script
	// could not be loaded.
	BootWorkerRefused BootCode = "worker-refused"
	// BootPageTimeout means that the boot page did not load, or stopped answering, within its
	// deadline.
	BootPageTimeout BootCode = "page-timeout"
	// BootRegisterTimeout means that the browser did not register the worker in time, twice.
	BootRegisterTimeout BootCode = "register-timeout"
	// BootControlTimeout means that the worker did not take control in time, twice.
	BootControlTimeout BootCode = "control-timeout"
	// BootStateTimeout means that the worker did not answer in time, twice.
	BootStateTimeout BootCode = "state-timeout"
	// BootOuterTimeout means that the boot page waited too long for the outer frame.
	BootOuterTimeout BootCode = "outer-timeout"
	// BootEntryTimeout means that the sandbox's document did not load in time, and that its
	// client script sent nothing either.
	BootEntryTimeout BootCode = "entry-timeout"
	// BootStateUnreachable means that the worker runs but cannot get its rules and files from
	// the server.
	BootStateUnreachable BootCode = "state-unreachable"
	// BootVersionMismatch means that a worker of another version stays in control, even after
	// the repair.
	BootVersionMismatch BootCode = "version-mismatch"
	// BootLoop means that the worker was in control, but the server was asked for the document
	// again and again.
	BootLoop BootCode = "boot-loop"
	// BootContainmentMissing means that the policy demands more containment than the browser
	// provides.
	BootContainmentMissing BootCode = "containment-missing"
	// BootLeft means that the view was running and tried to navigate to another origin. The
	// browser blocked the navigation and ended the document.
	BootLeft BootCode = "navigation-blocked"
	// BootFlood means that documents of the sandbox sent the outer frame more messages than it
	// reads.
	BootFlood BootCode = "message-flood"
	// BootCrashed means that the browser process that ran the view has ended.
	BootCrashed BootCode = "crashed"
	// BootAppRefused means that the server rejected the MCP App from the host.
	BootAppRefused BootCode = "app-refused"
	// BootGone means that the server no longer knows the sandbox. It was removed, or the
	// server was restarted. If the view has not failed, loaded documents keep running, but
	// cannot load anything more.
	BootGone BootCode = "sandbox-gone"
)

// Boot is a message from the boot page to the outer frame, sent by postMessage.
type Boot struct {
	Kind     Kind[kindBoot] `json:"kind"`
	Protocol int            `json:"protocol"`
	Phase    Phase          `json:"phase"`
	// View is true for the boot page itself (BootPath), which navigates to the entry when it
	// is ready. It is false for a document that found itself without a worker and is going to
	// reload.
	View bool `json:"view"`
	// Enough is set if the phase is PhaseStarted. It lists the levels of containment that
	// satisfy the policy with which the page was served.
	Enough []Containment `json:"enough,omitempty"`
	// Controlled is set if the phase is PhaseReady. It means that a service worker is in
	// control.
	Controlled bool `json:"controlled,omitempty"`
	// Entry is set if the phase is PhaseReady and View is true. It is the path that the page
	// navigates to.
	Entry string `json:"entry,omitempty"`
	// Waits is set if the phase is PhaseReady and View is true. It means that the page waits for
	// [Open] before it navigates.
	Waits bool `json:"waits,omitempty"`
	// Stage is set if the phase is PhaseWaiting.
	Stage Stage `json:"stage,omitempty"`
	// Code is set if the phase is PhaseFailed. The outer frame has the texts for the codes.
	Code BootCode `json:"code,omitempty"`
}

// Listening tells the boot page of a view that the outer frame hears it. Either of the two may
// exist first. So the outer frame sends Listening when it starts, and again to each boot page
// that starts. No boot page continues without it.
type Listening struct {
	Kind Kind[kindListening] `json:"kind"`
	// Containment is what the outer frame observed the browser enforce, or "" before that. If
	// a policy demands a level, no boot page continues before it has received one.
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
	// GoingAhead means: navigate when ready, if a worker is in control. The worker begins the
	// document, and completes it when the entry exists.
	GoingAhead Going = "ahead"
	// GoingNow means: the entry exists, so navigate.
	GoingNow Going = "now"
)

// Demand tells the outer frame, on the stream of events, what the policy in force demands, and
// whether the sandbox is warm. It is the first message on each stream. The server sends it again
// when any of this changes.
type Demand struct {
	Kind Kind[kindDemand] `json:"kind"`
	// Enough lists the levels that satisfy the policy. Nothing may run in a browser that
	// provides none of them.
	Enough []Containment `json:"enough"`
	// Audit means that the policy only audits.
	Audit bool `json:"audit"`
	// Warm means that the sandbox has no files yet, so a view that has booted waits.
	Warm bool `json:"warm"`
}

// Hello passes a MessagePort to the outer frame, once for every document of a view. From then
// on reports travel on that port.
type Hello struct {
	Kind     Kind[kindHello] `json:"kind"`
	Protocol int             `json:"protocol"`
	// Revision is the one that the document was made from. It is 0 if the document does not
	// know it.
	Revision int64 `json:"revision"`
	// Path is the path, query, and fragment of the document's URL.
	Path string `json:"path"`
}

// Ping asks a document whether it still runs. The outer frame sends it to the view's own
// document on its port, and to the frame for executions as a message.
type Ping struct {
	Kind Kind[kindPing] `json:"kind"`
}

// Pong is the answer to [Ping].
type Pong struct {
	Kind Kind[kindPong] `json:"kind"`
}

// Bye is the last message of a document that goes away and answers no more.
type Bye struct {
	Kind Kind[kindBye] `json:"kind"`
}

// HeightLimit is the largest height that a [Size] can have, in CSS pixels. A taller document
// scrolls in its frame.
const HeightLimit = 32_767

// Measure asks for the height of the view's own document, now and whenever it changes, or
// turns that off. The embedder sends it to the outer frame, which passes it to the document on
// its port. Nothing is measured before.
type Measure struct {
	Kind Kind[kindMeasure] `json:"kind"`
	On   bool              `json:"on"`
}

// Size is the document's answer to [Measure]: the height that it needs to show all of its
// content, in whole CSS pixels from 1 to HeightLimit. It comes from the page, so the outer
// frame enforces the bounds.
type Size struct {
	Kind   Kind[kindSize] `json:"kind"`
	Height int            `json:"height"`
}

// Path tells the outer frame that the view's own document has another path, query, or fragment
// now, without a load.
type Path struct {
	Kind Kind[kindPath] `json:"kind"`
	Path string         `json:"path"`
}

// Update asks the view's own document to show a newer revision. The document answers with
// [Updating]. Then it either reloads, or replaces style sheets and modules in place and sends
// [Updated].
type Update struct {
	Kind     Kind[kindUpdate] `json:"kind"`
	Revision int64            `json:"revision"`
	// Changed are the paths of all files that differ from the revision that the document
	// shows, and that Modules does not cover. Both are empty if the document has to reload: the
	// list is incomplete, files were added or removed, or the embedder asked for a reload.
	Changed []string `json:"changed"`
	// Modules are the updates of modules. See [ModuleChanges].
	Modules []ModuleUpdate `json:"modules"`
}

// Manner is how a view shows a revision.
type Manner string

const (
	// MannerDocument means that a document has begun.
	MannerDocument Manner = "document"
	// MannerStyles means that the document stays, and has the revision's style sheets.
	MannerStyles Manner = "styles"
	// MannerModules means that the document stays, and has the revision's modules and style
	// sheets. Modules have accepted the change by import.meta.hot.
	MannerModules Manner = "modules"
	// MannerPath means that the document stays, and its address has changed.
	MannerPath Manner = "path"
)

// Updating is the answer to [Update]: the document has begun to show the revision.
type Updating struct {
	Kind   Kind[kindUpdating] `json:"kind"`
	Manner Manner             `json:"manner"`
	// Fields are what the user has entered, if the document loads itself again. The outer
	// frame hands them to the next document.
	Fields []Field `json:"fields"`
}

// Updated says that the style sheets and modules of an [Update] are in place.
type Updated struct {
	Kind Kind[kindUpdated] `json:"kind"`
}

// Restore hands a document what the user had entered in the previous one.
type Restore struct {
	Kind   Kind[kindRestore] `json:"kind"`
	Fields []Field           `json:"fields"`
}

// FieldLimit is the largest number of fields in one message, and FieldsLength the largest number
// of characters in them together. Further ones are left out.
const (
	FieldLimit   = 200
	FieldsLength = 50_000
)

// Field is what the user has entered in one field of a form. Key identifies the field by its
// tag, type, id, and name. Values are the text of a text field, the value of a checked box, or
// the values of the selected options.
type Field struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
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

// ConsoleReport is one call of a console method. Text is the arguments as text, joined by
// spaces. The client cuts it at a stated length.
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

// Feature is something other than a request that a browser refuses to a sandboxed page. It is
// the name of the missing grant, or of something that no grant allows. In a violation it takes
// the place of the directive.
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
	// These two features have no grant.
	FeatureServiceWorker Feature = "service-worker"
	FeatureCookies       Feature = "cookies"
)

// ViolationReport is a securitypolicyviolation event: the browser itself blocked something
// before the worker could see it. Target is the blocked URL (or a keyword such as "inline"),
// and Directive is the effective directive.
//
// A ViolationReport can also be the use of a [Feature]. Then Target is the URL or the name of
// what was called.
type ViolationReport struct {
	Kind      Kind[kindViolation] `json:"kind"`
	Target    string              `json:"target"`
	Directive string              `json:"directive"`
	Place
}

// InvalidateReport says that a module has called import.meta.hot.invalidate: it was replaced, but
// cannot handle the change. Its importers have to accept the change instead.
type InvalidateReport struct {
	Kind Kind[kindInvalidate] `json:"kind"`
	// Path is the path of the module.
	Path string `json:"path"`
}

// Reports is the message on the port: reports in the order in which they were made, and the
// number of reports that were left out.
type Reports struct {
	Dropped int `json:"dropped"`
	// Reports are members of the PageReport union.
	Reports []json.RawMessage `json:"reports" ts:"readonly PageReport[]"`
}

// OuterReports is a message from the outer frame to the server.
type OuterReports struct {
	// View is the id of the outer frame's view.
	View    string `json:"view"`
	Dropped int    `json:"dropped"`
	// Page is what the sandbox's page reported: members of the PageReport union.
	Page []json.RawMessage `json:"page" ts:"readonly PageReport[]"`
	// Outer is what the outer frame itself observed: navigations out of the view that the
	// browser blocked because of the outer frame's own policy.
	Outer []ViolationReport `json:"outer"`
}
