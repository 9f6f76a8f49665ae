package compile

import (
	"errors"
	"time"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
)

// A Transformer transforms single source files, as the functions of package transform do. It is
// safe for concurrent use.
//
// A method fails with a [*transform.LimitError] if the source needs more time or memory than the
// transformer spends. Any other error says that the source could not be tried.
type Transformer interface {
	Scan(transform.Source) (transform.Output, error)
	Names(transform.Source) ([]transform.Name, error)
	Emit(transform.Source, map[string]transform.Target) (transform.Output, error)
	Style(file, text string) (transform.Styled, error)
}

// InProcess transforms in this process. A hostile source can end the process, or occupy it for
// minutes, so it is for trusted sources alone.
type InProcess struct{}

// Scan calls [transform.Scan].
func (InProcess) Scan(s transform.Source) (transform.Output, error) { return transform.Scan(s), nil }

// Names calls [transform.Names].
func (InProcess) Names(s transform.Source) ([]transform.Name, error) { return transform.Names(s), nil }

// Emit calls [transform.Emit].
func (InProcess) Emit(s transform.Source, targets map[string]transform.Target) (transform.Output, error) {
	return transform.Emit(s, targets), nil
}

// Style calls [transform.Style].
func (InProcess) Style(file, text string) (transform.Styled, error) {
	return transform.Style(file, text), nil
}

// limitKept is how long a compiler remembers that a source exceeds the transformer's limits.
// Every change of a sandbox would otherwise spend the whole deadline again. It is not forever,
// because a busy machine can also make a source miss its deadline.
const limitKept = 10 * time.Minute

// keptFor returns how long a result is kept, or 0 for as long as there is room. ok is false for
// a result that is not kept at all: the next attempt may succeed.
func keptFor(err error) (d time.Duration, ok bool) {
	if _, limited := errors.AsType[*transform.LimitError](err); limited {
		return limitKept, true
	}
	return 0, err == nil
}

// failure is the diagnostic of a file that could not be transformed.
func failure(file string, err error) []protocol.Diagnostic {
	text := "The file could not be compiled: " + err.Error() + "."
	if limited, ok := errors.AsType[*transform.LimitError](err); ok {
		text = limited.Error()
	}
	return []protocol.Diagnostic{{Severity: protocol.SeverityError, File: file, Line: 1, Column: 1, Text: text}}
}

// transformed returns the result for a key from the cache, or makes it.
func (p *project) transformed(file, key string, run func(Transformer) (transform.Output, error)) transform.Output {
	return cached(p.compiler.cache, key, sizeOf, func() (transform.Output, error) {
		out, err := run(p.compiler.transformer)
		if err != nil {
			out = transform.Output{Problems: failure(file, err)}
		}
		return out, err
	})
}

// names are the names that a source imports, with their places. If they could not be found, problems
// says why.
type names struct {
	list     []transform.Name
	problems []protocol.Diagnostic
}

// names returns the names of a source from the cache, or finds them.
func (p *project) names(s *source) names {
	size := func(found names) (n int) {
		for _, name := range found.list {
			n += len(name.Specifier) + len(name.Name) + len(name.SourceLine) + 64
		}
		return n
	}
	return cached(p.compiler.cache, "names "+s.key, size, func() (found names, err error) {
		if found.list, err = p.compiler.transformer.Names(s.Source); err != nil {
			found.problems = failure(s.Path, err)
		}
		return found, err
	})
}

// styled returns a compiled CSS module from the cache, or compiles it.
func (p *project) styled(file, key, text string) transform.Styled {
	size := func(s transform.Styled) int { return len(s.CSS) + len(s.Code) }
	return cached(p.compiler.cache, key, size, func() (transform.Styled, error) {
		out, err := p.compiler.transformer.Style(file, text)
		if err != nil {
			out = transform.Styled{Problems: failure(file, err)}
		}
		return out, err
	})
}
