package child

import (
	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// An operation is a function of package transform, or the bundling of a package.
type operation int

const (
	ready operation = iota // the first response of a child, which answers no request
	scan
	names
	emit
	style
	bundle
)

// A request is sent to a child in gob. Style takes the path and the text of Source.
type request struct {
	ID        uint64
	Operation operation
	Source    transform.Source
	Targets   map[string]transform.Target
	// Packed is the package to bundle.
	Packed prebundle.Packed
}

// A response has the ID of its request.
type response struct {
	ID      uint64
	Output  transform.Output
	Names   []transform.Name
	Styled  transform.Styled
	Bundled prebundle.Bundled
	// Panic is a defect of the transform, or "".
	Panic string
}

// size returns about how many bytes the request has.
func (r *request) size() int {
	n := len(r.Source.Text) + len(r.Source.Config)
	for specifier, target := range r.Targets {
		n += len(specifier) + len(target.URL) + len(target.Problem)
	}
	return n
}
