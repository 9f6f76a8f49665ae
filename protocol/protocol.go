package protocol

import "time"

// Version is the protocol number. It changes whenever a type in this package or in the
// worker's state changes its meaning. Two programs with different numbers do not talk to each
// other.
const Version = 1

// Prefix begins the paths on every sandbox host that are reserved for us. A virtual file
// cannot be put below it.
const Prefix = "/.bellglass/"

// The paths below Prefix on an inner origin. The server guards each of them separately,
// because page code can request any of them once it has unregistered the worker.
const (
	// WorkerPath is the service worker's script. It contains the sandbox's secret. The server
	// serves it only to requests with Sec-Fetch-Dest: serviceworker, a header that page code
	// cannot set.
	WorkerPath = Prefix + "sw.js"
	// BootPath is the inner frame's own page, with which every view begins.
	BootPath = Prefix + "boot"
	// ListedPath and UnlistedPath are on the outer origin. The server answers both, the latter
	// with an error. The outer page's Connection-Allowlist has every path of its origin except
	// those that begin with two slashes. So a browser that enforces the header gets an answer
	// from ListedPath and none from UnlistedPath.
	ListedPath   = Prefix + "probe"
	UnlistedPath = "//unlisted"
	// ListedAnswer is the body of the response for ListedPath.
	ListedAnswer = "reached\n"
	// StreamCheckPath is on the outer origin. GET answers with a stream, and POST ends that
	// stream. Both name the stream by an id in the query. With it, a program checks whether a
	// proxy passes on a stream without buffering it.
	StreamCheckPath = Prefix + "stream-check"
	// HelloPath is answered by the worker itself and never by the server. The answer tells the
	// boot page which worker is in control.
	HelloPath = Prefix + "hello"
	// KnownPath is answered by the worker itself, too. A document names a revision in the query.
	// After the answer, the worker answers no request from an older one.
	KnownPath = Prefix + "known"

	// ReportPath is where the browser itself reports what a document's policy blocked. The
	// server accepts only reports that no code can send.
	ReportPath = Prefix + "report"
	// RealmPath receives the reports of workers, which have no outer frame to talk to. They
	// come from the page, so they are untrusted.
	RealmPath = Prefix + "realm"

	// RunPath is the inner frame's page that runs executions.
	RunPath = Prefix + "run"
	// ExecutionPath begins the paths of an execution. The execution's address follows, then one
	// of the names below. The worker gets them from the server, with its key.
	ExecutionPath = Prefix + "execution/"

	// IsolatedPath begins the path of the document of an isolated execution. The execution's
	// address follows. The server serves each of these documents once, and only to a frame.
	IsolatedPath = Prefix + "isolated/"

	// StatePath, BlobPath, ChangesPath, and VerdictsPath are the worker's own endpoints.
	// BlobPath requires the sandbox's key in KeyHeader. The others require its secret in
	// SecretHeader.
	StatePath    = Prefix + "state"
	BlobPath     = Prefix + "blob/" // followed by the content's hash
	ChangesPath  = Prefix + "changes"
	VerdictsPath = Prefix + "verdicts"

	// ScriptPath begins the paths of what files are compiled to. They are only names in a state.
	// The worker and the server answer with it if a script requests the file itself.
	ScriptPath = Prefix + "script/"
)

// The lines of a stream of StreamCheckPath. It begins with StreamBegins. It ends with
// StreamAsked if a POST ended it in time, and otherwise with StreamWaited.
const (
	StreamBegins = "begins"
	StreamAsked  = "asked"
	StreamWaited = "waited"
)

// The names below an execution's path: the worker in which it runs, the code, and a request
// after the code has ended. That request ensures that the verdicts have arrived by then.
const (
	ExecutionWorker = "worker.js"
	ExecutionCode   = "code.js"
	ExecutionSettle = "settle"
)

// SecretHeader contains the sandbox's secret on the worker's own requests. Only code inside
// the worker knows the value. It is never sent to an address that page code can choose.
const SecretHeader = "Bellglass-Secret"

// KeyHeader contains the sandbox's key on the worker's requests for contents, whose address
// the page may have chosen. The key gives access only to what page code can read through the
// worker: files, and the code of an execution whose address it knows.
const KeyHeader = "Bellglass-Key"

// ContentHeader names the content that the worker requests under a virtual file's own address.
// The value is the content's hash, a space, and the file's type. The response has all the
// headers that the worker would set, so the worker can pass it on unchanged.
const ContentHeader = "Bellglass-Content"

// LeaseHeader is on responses from StatePath. It is how many milliseconds the worker may
// answer from that revision, unless it is notified of another one. The time counts from before
// the worker sent its request. 0 means only for the one request that caused it.
const LeaseHeader = "Bellglass-Lease"

// HeldFor is how long the server holds a request to StatePath for a state that is newer than
// the worker's.
const HeldFor = 10 * time.Second

// IncarnationHeader is on the response to the outer frame, which requests its own page from
// the server now and then. It names the sandbox that has the id now.
const IncarnationHeader = "Bellglass-Incarnation"

// Paths lists the constants above for TypeScript, by their names there.
var Paths = map[string]string{
	"prefix":    Prefix,
	"worker":    WorkerPath,
	"boot":      BootPath,
	"listed":    ListedPath,
	"unlisted":  UnlistedPath,
	"hello":     HelloPath,
	"known":     KnownPath,
	"run":       RunPath,
	"report":    ReportPath,
	"realm":     RealmPath,
	"execution": ExecutionPath,
	"isolated":  IsolatedPath,
	"state":     StatePath,
	"blob":      BlobPath,
	"changes":   ChangesPath,
	"verdicts":  VerdictsPath,
	"script":    ScriptPath,
}
