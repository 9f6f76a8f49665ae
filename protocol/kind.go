package protocol

import "fmt"

// A Name is the constant value of a discriminating field.
type Name interface{ Name() string }

// Kind is the discriminating field of a message. It always marshals as the constant that N
// names, and unmarshals only from that constant. So a message cannot be built with the wrong
// kind, and the zero value is right.
type Kind[N Name] struct{}

// Literal returns the constant. The TypeScript generator reads it.
func (Kind[N]) Literal() string {
	var n N
	return n.Name()
}

// MarshalText implements [encoding.TextMarshaler].
func (k Kind[N]) MarshalText() ([]byte, error) { return []byte(k.Literal()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails for every value other than the
// constant.
func (k *Kind[N]) UnmarshalText(b []byte) error {
	if string(b) != k.Literal() {
		return fmt.Errorf("message kind is %q, want %q", b, k.Literal())
	}
	return nil
}

type (
	kindBoot       struct{}
	kindListening  struct{}
	kindOpen       struct{}
	kindDemand     struct{}
	kindHello      struct{}
	kindPing       struct{}
	kindPong       struct{}
	kindBye        struct{}
	kindConsole    struct{}
	kindError      struct{}
	kindViolation  struct{}
	kindInvalidate struct{}
	kindVerdict    struct{}
	kindLifecycle  struct{}
	kindConnect    struct{}
	kindMismatch   struct{}
	kindReload     struct{}
	kindAskActive  struct{}
	kindActive     struct{}
	kindState      struct{}
	kindEvent      struct{}
	kindRun        struct{}
	kindEnd        struct{}
	kindEnded      struct{}
	kindBegun      struct{}
	kindReplied    struct{}
	kindAsk        struct{}
	kindAnswered   struct{}
	kindOutcome    struct{}
	kindMeasure    struct{}
	kindSize       struct{}
	kindBlocked    struct{}
	kindPath       struct{}
	kindUpdate     struct{}
	kindUpdating   struct{}
	kindUpdated    struct{}
	kindRestore    struct{}
	kindLive       struct{}
	kindShown      struct{}
)

func (kindBoot) Name() string       { return "boot" }
func (kindListening) Name() string  { return "listening" }
func (kindOpen) Name() string       { return "open" }
func (kindDemand) Name() string     { return "demand" }
func (kindHello) Name() string      { return "hello" }
func (kindPing) Name() string       { return "ping" }
func (kindPong) Name() string       { return "pong" }
func (kindBye) Name() string        { return "bye" }
func (kindConsole) Name() string    { return "console" }
func (kindError) Name() string      { return "error" }
func (kindViolation) Name() string  { return "violation" }
func (kindInvalidate) Name() string { return "invalidate" }
func (kindVerdict) Name() string    { return "verdict" }
func (kindLifecycle) Name() string  { return "lifecycle" }
func (kindConnect) Name() string    { return "connect" }
func (kindMismatch) Name() string   { return "mismatch" }
func (kindReload) Name() string     { return "reload" }
func (kindAskActive) Name() string  { return "ask-active" }
func (kindActive) Name() string     { return "active" }
func (kindState) Name() string      { return "state" }
func (kindEvent) Name() string      { return "event" }
func (kindRun) Name() string        { return "run" }
func (kindEnd) Name() string        { return "end" }
func (kindReplied) Name() string    { return "replied" }
func (kindAsk) Name() string        { return "ask" }
func (kindAnswered) Name() string   { return "answered" }
func (kindBegun) Name() string      { return "begun" }
func (kindEnded) Name() string      { return "ended" }
func (kindOutcome) Name() string    { return "outcome" }
func (kindMeasure) Name() string    { return "measure" }
func (kindSize) Name() string       { return "size" }
func (kindBlocked) Name() string    { return "blocked" }
func (kindPath) Name() string       { return "path" }
func (kindUpdate) Name() string     { return "update" }
func (kindUpdating) Name() string   { return "updating" }
func (kindUpdated) Name() string    { return "updated" }
func (kindRestore) Name() string    { return "restore" }
func (kindLive) Name() string       { return "live" }
func (kindShown) Name() string      { return "shown" }
