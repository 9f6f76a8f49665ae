package protocol

// Connect is the first message that an embedder's page posts to the outer frame, with one
// MessagePort. The outer frame accepts the first Connect whose source is its parent and whose
// origin is an allowed embedder. From then on the two talk on the port.
type Connect struct {
	Kind     Kind[kindConnect] `json:"kind"`
	Protocol int               `json:"protocol"`
}

// Mismatch is the only message to a page whose Connect has another protocol number. This type
// has the same form in every version, so that each version can report the mismatch.
type Mismatch struct {
	Kind Kind[kindMismatch] `json:"kind"`
	// Protocol is the outer frame's own number.
	Protocol int `json:"protocol"`
}

// Reload asks the outer frame to load the view again. The view keeps its path and is not
// booted, if its document answers and the policy is the same. A second Reload before the first
// one has loaded boots the view.
type Reload struct {
	Kind Kind[kindReload] `json:"kind"`
}

// Live turns live update on or off. While it is on, the view shows each change of the files by
// itself.
type Live struct {
	Kind Kind[kindLive] `json:"kind"`
	On   bool           `json:"on"`
}

// Shown tells the embedder what the view's own document shows now. Path and Revision are the
// page's word; the outer frame cuts a long path.
type Shown struct {
	Kind     Kind[kindShown] `json:"kind"`
	Manner   Manner          `json:"manner"`
	Path     string          `json:"path"`
	Revision int64           `json:"revision"`
}

// AskActive asks the outer frame whether the user has just done something in the sandbox.
type AskActive struct {
	Kind Kind[kindAskActive] `json:"kind"`
}

// Active answers one AskActive; answers come in the order of the questions.
type Active struct {
	Kind Kind[kindActive] `json:"kind"`
	// Active is navigator.userActivation.isActive of the outer frame. It is true if the user
	// clicked or typed within the last few seconds, in the outer frame or in a frame below it.
	Active bool `json:"active"`
}

// ViewState is the state of a view.
type ViewState string

// The states of a view. Only ViewReady shows the view. ViewWarm means that the view has booted, and
// waits for the sandbox's files.
const (
	ViewBooting ViewState = "booting"
	ViewWarm    ViewState = "warm"
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
	// Incarnation names the sandbox that has the id now, as far as the outer frame knows. It
	// changes when the server was restarted and the id is in use again. The ids of events then
	// start from 1 again, too.
	Incarnation string `json:"incarnation"`
	// View is the id of this view, as its events have it. Each load of the outer frame has
	// another one.
	View string `json:"view"`
	// Connected is false while the outer frame has lost the server's events.
	Connected bool `json:"connected"`
}

// EventMessage passes one event of the sandbox to the embedder. The embedder gets the
// sandbox's kept history first.
type EventMessage struct {
	Kind Kind[kindEvent] `json:"kind"`
	// Event is a member of the Event union.
	Event any `json:"event" ts:"Event"`
}
