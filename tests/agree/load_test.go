package agree

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bellglass/bellglass/rules"
)

// load makes a policy of the drawn rules. If rules are rejected, load removes them from the
// draw and tries again: a rule may ask for something that no browser can enforce, or make no
// sense. So a draw can have many rules and need not know what is valid. load fails if nothing
// is left, or if removing rules does not help.
func (p *policy) load() (*rules.Policy, error) {
	const tries = 8
	var err error
	for range tries {
		files := p.files()
		var loaded *rules.Policy
		loaded, err = rules.Load(p.layers[0].file, func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return text, nil
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		})
		if err == nil {
			return loaded, nil
		}
		all, ok := errors.AsType[rules.Errors](err)
		if !ok || !p.drop(all) {
			break
		}
	}
	return nil, fmt.Errorf("no policy: %w", err)
}

// drop removes the rules that the errors concern. It returns false if an error concerns
// something else.
func (p *policy) drop(all rules.Errors) bool {
	for _, e := range all {
		found := false
		for i := range p.layers {
			l := &p.layers[i]
			if l.file == e.File && slices.ContainsFunc(l.rules, func(r *rule) bool { return r.line == e.Line }) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	for i := range p.layers {
		l := &p.layers[i]
		l.rules = slices.DeleteFunc(l.rules, func(r *rule) bool {
			return slices.ContainsFunc(all, func(e *rules.Error) bool { return e.File == l.file && e.Line == r.line })
		})
	}
	return true
}
