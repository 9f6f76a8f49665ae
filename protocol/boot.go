package protocol

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
