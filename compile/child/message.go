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
	emit
	check
	style
	bundle
)

// A request is sent to a child in gob. Style takes the path and the text of Source.
type request struct {
	ID        uint64
	Operation operation
	Source    transform.Source
	Targets   map[string]transform.Target
	// Exports has those of the targets by file. A thousand imports may lead to one file, so the
	// targets do not repeat them.
	Exports map[string][]string
	// Packed is the package to bundle.
	Packed prebundle.Packed
}

// A response has the ID of its request.
type response struct {
	ID      uint64
	Output  transform.Output
	Styled  transform.Styled
	Bundled prebundle.Bundled
	// Panic is a defect of the transform, or "".
	Panic string
}

// newRequest returns a request without what the operation does not read.
func newRequest(op operation, s transform.Source, targets map[string]transform.Target) request {
	r := request{Operation: op, Source: s, Targets: make(map[string]transform.Target, len(targets))}
	for specifier, target := range targets {
		if op == check && target.File != "" {
			if r.Exports == nil {
				r.Exports = map[string][]string{}
			}
			r.Exports[target.File] = target.Exports
		}
		target.Exports = nil
		r.Targets[specifier] = target
	}
	return r
}

// targets returns the targets with their exports.
func (r *request) targets() map[string]transform.Target {
	for specifier, target := range r.Targets {
		target.Exports = r.Exports[target.File]
		r.Targets[specifier] = target
	}
	return r.Targets
}

// size returns about how many bytes the request has.
func (r *request) size() int {
	n := len(r.Source.Text) + len(r.Source.Config)
	for specifier, target := range r.Targets {
		n += len(specifier) + len(target.URL) + len(target.Problem) + len(target.File) + sizeOf(target.Exports)
	}
	for file, names := range r.Exports {
		n += len(file) + sizeOf(names)
	}
	return n
}

func sizeOf(names []string) (n int) {
	for _, name := range names {
		n += len(name) + 1
	}
	return n
}
