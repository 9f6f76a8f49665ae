package packages

import (
	"errors"
	"slices"

	"github.com/bellglass/bellglass/compile/child"
	"github.com/bellglass/bellglass/packages/prebundle"
)

// maxFailures is the maximum number of failures of one package that a set remembers.
const maxFailures = 100

// A failure is an error of a package that bundling it again would repeat.
type failure struct {
	key       string
	must, may []string // as in bundle
	err       error
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

// exceedsLimit reports whether the package exceeded a limit of time or memory.
func (f *failure) exceedsLimit() bool {
	_, ok := errors.AsType[*child.BundleError](f.err)
	return ok
}

// has reports whether the failed bundle had a subpath.
func (f *failure) has(subpath string) bool {
	return slices.Contains(f.must, subpath) || slices.Contains(f.may, subpath)
}

// repeats reports whether bundling one would fail in the same way. More subpaths never need less
// time or memory.
func (f *failure) repeats(one *bundle) bool {
	if !f.exceedsLimit() {
		return slices.Equal(f.must, one.must) && slices.Equal(f.may, one.may)
	}
	for _, subpath := range slices.Concat(f.must, f.may) {
		if !slices.Contains(one.must, subpath) && !slices.Contains(one.may, subpath) {
			return false
		}
	}
	return true
}

// failed returns why bundling a package has failed before, or nil.
func (s *Set) failed(key string, one *bundle) *failure {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, f := range s.failures[key] {
		if f.repeats(one) {
			return f
		}
	}
	return nil
}

// fail returns an error of bundling a package. It keeps the error if bundling the package again
// would repeat it. The files of a package without a fingerprint can change.
func (s *Set) fail(key string, one *bundle, fingerprint string, err error) error {
	f := &failure{key: key, must: slices.Clone(one.must), may: slices.Clone(one.may), err: err}
	_, absent := errors.AsType[*prebundle.SubpathError](err)
	_, unbuildable := errors.AsType[*prebundle.BuildError](err)
	if fingerprint == "" || !absent && !unbuildable && !f.exceedsLimit() {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.failures[key]
	s.failures[key] = append(kept[max(0, len(kept)+1-maxFailures):], f)
	return f
}

// worst returns the first error of a limit, because retrying that costs most. Without one, it returns
// the first error, or nil.
func worst(errs []error) error {
	var first error
	for _, err := range errs {
		if f, ok := errors.AsType[*failure](err); ok && f.exceedsLimit() {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// A BundleLimitError says that bundling a package exceeds a limit of time or memory. It wraps a
// [*child.BundleError].
type BundleLimitError struct {
	Specifiers []string // those that name the package itself
	err        error
}

func (e *BundleLimitError) Error() string { return e.err.Error() }

// Unwrap returns the [*child.BundleError].
func (e *BundleLimitError) Unwrap() error { return e.err }

// Fails reports whether a specifier is one of Specifiers. Callers that retry each specifier alone
// should skip these: the retry would probably take as long, and fail again.
func (e *BundleLimitError) Fails(specifier string) bool {
	return slices.Contains(e.Specifiers, specifier)
}

// bundleLimitError returns err as a [*BundleLimitError] if it is one. asked has the key of each
// specifier.
func bundleLimitError(err error, asked map[string]string) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return err
	}
	if !f.exceedsLimit() {
		return f.err
	}
	e := &BundleLimitError{err: f.err}
	for _, specifier := range sortedKeys(asked) {
		if _, subpath := prebundle.SplitSpecifier(specifier); asked[specifier] == f.key && f.has(subpath) {
			e.Specifiers = append(e.Specifiers, specifier)
		}
	}
	return e
}
