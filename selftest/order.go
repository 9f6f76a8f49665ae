package selftest

import "slices"

// An OrderKind is what an [Order] is for.
type OrderKind string

const (
	OrderOpen  OrderKind = "open"  // a frame
	OrderClose OrderKind = "close" // a frame
	OrderRows  OrderKind = "rows"  // what a batch has come to
	OrderEnd   OrderKind = "end"
)

// An Order is what the page has to do, or to show.
type Order struct {
	Kind OrderKind `json:"kind"`
	// Of a frame:
	ID     string `json:"id,omitempty"`
	URL    string `json:"url,omitempty"` // for "close" where the frame goes before it is taken out, or ""
	Column Column `json:"column,omitempty"`
	Title  string `json:"title,omitempty"`

	Rows []Row `json:"rows,omitempty"`
	View *View `json:"view,omitempty"` // of the end
}

// A Frame is what the page has seen of a frame under glass.
type Frame struct {
	ID          string `json:"id"`
	Containment string `json:"containment"`
	// Failure says why the sandbox did not start; "" if it did.
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
