package npm

import "fmt"

// Errors that say what is wrong with a package are separate types, because a server shows them to
// its clients. Their fields never contain the address of a registry.

// A MissingError says that the cache lacks something, and that no registry may be asked.
type MissingError struct {
	What string // such as "the versions of react" or "react 19.2.0"
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: not in the package cache, and no registry is asked while offline; run the command once without --offline", e.What)
}

// A NotFoundError says that a registry has no such package.
type NotFoundError struct {
	Name, Registry string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("the registry %s has no package %s; check its name. If it is private, check the token in .npmrc", e.Registry, e.Name)
}

// A DependencyError says which dependency has no version, and why.
type DependencyError struct {
	From        string // NAME@VERSION, or "" for the application
	Name, Range string
	Err         error
}

func (e *DependencyError) Error() string {
	from := e.From
	if from == "" {
		from = "the application"
	}
	return fmt.Sprintf("%s needs %s@%s: %v", from, e.Name, e.Range, e.Err)
}

// Unwrap returns the reason.
func (e *DependencyError) Unwrap() error { return e.Err }

// A RejectedError says why a package is rejected: it exceeds a limit, its tarball is invalid, or it
// needs something that is not supported. Another attempt fails in the same way.
type RejectedError struct {
	Package string // such as "react 19.2.0", or "" for all packages together
	Reason  string
}

// Error returns the reason alone, because the errors around it name the package.
func (e *RejectedError) Error() string { return e.Reason }

// An IntegrityError says that a tarball is not the one that was published, or that nothing proves
// that it is.
type IntegrityError struct {
	Package string // such as "react 19.2.0"
	Reason  string
}

// Error returns the reason alone, because the errors around it name the package.
func (e *IntegrityError) Error() string { return e.Reason }

func rejected(format string, args ...any) error {
	return &RejectedError{Reason: fmt.Sprintf(format, args...)}
}

func mismatch(format string, args ...any) error {
	return &IntegrityError{Reason: fmt.Sprintf(format, args...)}
}
