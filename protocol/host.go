package protocol

// Connect is the first message an embedder's page posts to the outer frame,
// with one MessagePort. The outer takes the first whose source is its parent
// and whose origin is an allowed embedder, and from then on talks on the port.
type Connect struct {
	Kind     Kind[kindConnect] `json:"kind"`
	Protocol int               `json:"protocol"`
}

// Reload asks the outer frame to load the view again from its entry.
type Reload struct {
	Kind Kind[kindReload] `json:"kind"`
}

// AskActive asks the outer frame whether the user has just done something in the sandbox.
type AskActive struct {
	Kind Kind[kindAskActive] `json:"kind"`
}

// Active answers one AskActive; answers come in the order of the questions.
type Active struct {
	Kind Kind[kindActive] `json:"kind"`
	// Active is what the browser says of the outer frame (navigator.userActivation.isActive):
	// within the last few seconds the user clicked or typed there or in a frame below it.
	Active bool `json:"active"`
}

// ViewState is where a view stands.
type ViewState string

// The states of a view. Only ViewReady shows the view.
const (
	ViewBooting ViewState = "booting"
	ViewReady   ViewState = "ready"
	ViewFailed  ViewState = "failed"
)

// StateMessage tells the embedder each change of the view's state.
type StateMessage struct {
	Kind        Kind[kindState] `json:"kind"`
	State       ViewState       `json:"state"`
	Containment Containment     `json:"containment"`
	Code        BootCode        `json:"code,omitempty"`
	Text        string          `json:"text,omitempty"`
	Advice      string          `json:"advice,omitempty"`
	// Incarnation names the sandbox that has the id now, as far as the outer frame knows.
	// It changes when the server was started anew and has the id again. The ids of events
	// then begin anew, too.
	Incarnation string `json:"incarnation"`
	// Connected is false while the outer frame has lost the server's events.
	Connected bool `json:"connected"`
}

// EventMessage hands one event of the sandbox to the embedder. The embedder
// gets the sandbox's kept history first.
type EventMessage struct {
	Kind Kind[kindEvent] `json:"kind"`
	// Event is a member of the Event union.
	Event any `json:"event" ts:"Event"`
}
