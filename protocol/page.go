package protocol

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
