package prebundle

import (
	"errors"
	"slices"
	"sync"
)

// Packed is an [Input] as data, so that another process can build it.
type Packed struct {
	Name, Version, Dir string
	// Tarball is the package from the registry. It may unpack to at most MaxUnpacked bytes.
	Tarball            []byte
	MaxUnpacked        int64
	Subpaths, Optional []string
	Development        bool
	// Others are the virtual folders of the packages that this one can import, by name.
	Others map[string]string
}

// Bundled is what [Build] returns, as data.
type Bundled struct {
	Result *Result
	// Looked has the names that the package looked up in Others, sorted.
	Looked []string
	// Absent or Problem says why, if there is no result.
	Absent  *SubpathError
	Problem string
}

// BuildPacked is [Build] for the files of a package. Its result contains the error.
func BuildPacked(p Packed, files Files) Bundled {
	return BuildOf(p, files, func(name string) string { return p.Others[name] })
}

// BuildOf is [BuildPacked] with other in place of Others.
func BuildOf(p Packed, files Files, other func(name string) string) Bundled {
	var mu sync.Mutex
	looked := map[string]bool{}
	result, err := Build(Input{
		Name: p.Name, Version: p.Version, Files: files, Subpaths: p.Subpaths, Optional: p.Optional, Dir: p.Dir, Development: p.Development,
		Other: func(name string) string {
			mu.Lock()
			defer mu.Unlock()
			looked[name] = true
			return other(name)
		},
	})
	b := Bundled{Result: result}
	for name := range looked {
		b.Looked = append(b.Looked, name)
	}
	slices.Sort(b.Looked)
	if absent, ok := errors.AsType[*SubpathError](err); ok {
		b.Absent = absent
	} else if err != nil {
		b.Problem = err.Error()
	}
	return b
}

// Err returns why there is no result, or nil.
func (b *Bundled) Err() error {
	switch {
	case b.Absent != nil:
		return b.Absent
	case b.Problem != "":
		return &BuildError{b.Problem}
	}
	return nil
}

// A BuildError says why a package cannot be bundled. Bundling the same files again fails again.
type BuildError struct{ Reason string }

func (e *BuildError) Error() string { return e.Reason }
