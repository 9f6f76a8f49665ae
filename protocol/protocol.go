package protocol

// Version is the protocol number. It changes whenever a shape in this package
// or in the worker's state changes its meaning. Two programs whose numbers
// differ do not talk.
const Version = 1

// Prefix is the part of every sandbox host's URL space that is ours. A virtual
// file cannot be put below it.
const Prefix = "/.bellglass/"

// The paths below Prefix on an inner origin. Each is guarded by the server on
// its own, because page code can ask for any of them once it has unregistered
// the worker.
const (
	// WorkerPath is the service worker's script. It carries the sandbox's
	// secret and is served only to Sec-Fetch-Dest: serviceworker, a header that
	// page code cannot set.
	WorkerPath = Prefix + "sw.js"
	// BootPath is the inner frame's own page, with which every view begins.
	BootPath = Prefix + "boot"
	// ClientPath is the script that relays console, errors and violations. The
	// worker puts it at the head of every HTML document it serves.
	ClientPath = Prefix + "client.js"
	// ListedPath and UnlistedPath are on the outer origin. Both are answered, the
	// latter with a refusal. The outer page's Connection-Allowlist has every path of
	// its origin but those that begin with two slashes: a browser that enforces the
	// header gets an answer from the one and none from the other.
	ListedPath   = Prefix + "probe"
	UnlistedPath = "//unlisted"
	// ListedAnswer is what ListedPath answers.
	ListedAnswer = "reached\n"
	// StreamCheckPath is on the outer origin. GET answers with a stream, and POST asks for
	// that stream's end; both name it by an id in the query. A program sees with it whether
	// a proxy passes a stream on as it comes.
	StreamCheckPath = Prefix + "stream-check"
	// HelloPath is answered by the worker itself and never by the server: it
	// tells the boot page which worker is in control.
	HelloPath = Prefix + "hello"

	// ReportPath is where the browser itself reports what a document's policy
	// refused. It takes only what no code can send.
	ReportPath = Prefix + "report"
	// RealmPath takes the reports of workers, which have no outer frame to talk to.
	// They are the word of the page.
	RealmPath = Prefix + "realm"

	// RunPath is the inner frame's page that runs executions.
	RunPath = Prefix + "run"
	// ExecutionPath begins the paths of an execution: its id follows, and one of
	// the names below. The worker has them from the server, with its key.
	ExecutionPath = Prefix + "execution/"

	// IsolatedPath begins the path of the document of an isolated execution: its id
	// follows. The server gives each of them once, and to a frame alone.
	IsolatedPath = Prefix + "isolated/"

	// StatePath, BlobPath, ChangesPath and VerdictsPath are the
	// worker's own endpoints. BlobPath wants the sandbox's key in KeyHeader, the
	// others its secret in SecretHeader.
	StatePath    = Prefix + "state"
	BlobPath     = Prefix + "blob/" // followed by the content's hash
	ChangesPath  = Prefix + "changes"
	VerdictsPath = Prefix + "verdicts"
)

// The lines of a stream of StreamCheckPath: it begins with StreamBegins, and ends with
// StreamAsked if its end was asked for in time, or else with StreamWaited.
const (
	StreamBegins = "begins"
	StreamAsked  = "asked"
	StreamWaited = "waited"
)

// The names below an execution's path: the worker in which it runs, the code, and
// what is asked when the code has ended, so that the verdicts are told by then.
const (
	ExecutionWorker = "worker.js"
	ExecutionCode   = "code.js"
	ExecutionSettle = "settle"
)

// SecretHeader carries the per-sandbox secret on the worker's own requests.
// Only code inside the worker knows the value, and it is sent to no address that page
// code can choose.
const SecretHeader = "Bellglass-Secret"

// KeyHeader carries the per-sandbox key on the worker's requests for contents, which
// may have a page's own address. It opens nothing that page code cannot read by way of
// the worker: files, and the code of an execution whose id it knows.
const KeyHeader = "Bellglass-Key"

// ContentHeader names, on a request of the worker's for a virtual file's own
// address, the content that it wants and the type that it has there: the hash, a
// space, the type. The answer has all headers of the worker's own, so that it can
// be handed on as it is.
const ContentHeader = "Bellglass-Content"

// LeaseHeader says, on an answer of StatePath, for how many milliseconds from
// before it asked the worker may answer from that revision, unless it is told of
// another. 0 is for the one request alone for which it asked.
const LeaseHeader = "Bellglass-Lease"

// IncarnationHeader is on the answer to the outer frame, which asks the server for its own
// page now and then: it names the sandbox that has the id now.
const IncarnationHeader = "Bellglass-Incarnation"

// Paths lists the constants above for the TypeScript side, by the name they
// have there.
var Paths = map[string]string{
	"prefix":    Prefix,
	"worker":    WorkerPath,
	"boot":      BootPath,
	"client":    ClientPath,
	"listed":    ListedPath,
	"unlisted":  UnlistedPath,
	"hello":     HelloPath,
	"run":       RunPath,
	"report":    ReportPath,
	"realm":     RealmPath,
	"execution": ExecutionPath,
	"isolated":  IsolatedPath,
	"state":     StatePath,
	"blob":      BlobPath,
	"changes":   ChangesPath,
	"verdicts":  VerdictsPath,
}
