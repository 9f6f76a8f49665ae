package protocol

import "encoding/json"

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
