package selftest

import "slices"

// An OrderKind is what an [Order] is for.
type OrderKind string

const (
	OrderOpen  OrderKind = "open"  // opens a frame
	OrderClose OrderKind = "close" // closes a frame
	OrderRows  OrderKind = "rows"  // outcomes of a batch
	OrderEnd   OrderKind = "end"
)

// An Order tells the page what to do or to show.
type Order struct {
	Kind OrderKind `json:"kind"`
	// These belong to a frame.
	ID     string `json:"id,omitempty"`
	URL    string `json:"url,omitempty"` // for OrderClose: the address that the frame visits before it is removed, or ""
	Column Column `json:"column,omitempty"`
	Title  string `json:"title,omitempty"`

	Rows []Row `json:"rows,omitempty"`
	View *View `json:"view,omitempty"` // for OrderEnd
}

// A Frame is what the page observed of a frame under glass.
type Frame struct {
	ID          string `json:"id"`
	Containment string `json:"containment"`
	// Failure says why the sandbox did not start. It is "" if the sandbox started.
	Failure string `json:"failure"`
}

func (r *Run) take(s Frame) {
	r.mu.Lock()
	var of *visit
	for _, p := range r.pairs {
		if p.glass.id == s.ID {
			of = p.glass
		}
	}
	if slices.Contains(containments, s.Containment) && r.containment == "" {
		r.containment = s.Containment
	}
	r.mu.Unlock()
	if of != nil && s.Failure != "" {
		r.fail(of, s.Failure)
	}
}
