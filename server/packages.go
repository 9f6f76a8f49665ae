package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/npm"
)

const (
	// loadsAtOnce is the maximum number of requests that fetch packages at the same time.
	loadsAtOnce = 4

	// loadWait is the maximum time that a request waits for others that fetch packages. It is short
	// because the request holds a part of Limits.UploadBytes meanwhile.
	loadWait = 10 * time.Second
)

// errEndingLoad is the answer to a request with packages while the server ends.
var errEndingLoad = refuse(http.StatusServiceUnavailable, "busy", "The server is shutting down, and created no sandbox. Send the request again when it has restarted.")

// loadPackages resolves and fetches packages for a sandbox. wanted has their ranges by name, as in
// package.json. The server contacts a registry only here.
func (s *Server) loadPackages(ctx context.Context, wanted map[string]string) (compile.Packages, error) {
	if s.config.Packages == nil {
		return nil, refuse(http.StatusUnprocessableEntity, "bad-package", "This server fetches no packages (--no-packages, or Config.Packages in Go). Add the modules to the files, or import them by URL.")
	}
	done, err := s.loadTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	loading, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.registry.Ending(), cancel)()
	set, err := packages.Load(loading, packages.Request{Dependencies: wanted}, *s.config.Packages)
	switch {
	case err == nil:
		return set, nil
	case ctx.Err() != nil:
		return nil, errClientGone
	case loading.Err() != nil:
		return nil, errEndingLoad
	}
	if text := aboutPackage(err); text != "" {
		return nil, refuse(http.StatusUnprocessableEntity, "bad-package", "%s", text)
	}
	s.config.Log.Warn("fetching packages failed", "error", err)
	if e, ok := errors.AsType[*npm.IntegrityError](err); ok {
		return nil, refuse(http.StatusBadGateway, "registry", "The server created no sandbox, because the registry's tarball of %s does not match its published integrity. Ask the server's operator to check the registry.", e.Package)
	}
	return nil, refuse(http.StatusBadGateway, "registry", "The server could not fetch the packages from the registry, and created no sandbox. The server's log says why. Try again later.")
}

// loadTurn waits until the request may fetch packages. Then the caller must call done.
func (s *Server) loadTurn(ctx context.Context) (done func(), err error) {
	late := time.NewTimer(loadWait)
	defer late.Stop()
	select {
	case s.loading <- struct{}{}:
		return func() { <-s.loading }, nil
	case <-late.C:
		if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
			return nil, refuseFor(x, http.StatusServiceUnavailable, loadWait, "busy", "The server is fetching packages for %d other requests, which is its limit. Send the request again after the number of seconds in Retry-After.", loadsAtOnce)
		}
		return nil, refuse(http.StatusServiceUnavailable, "busy", "The server is fetching packages for %d other requests, which is its limit. Try again later.", loadsAtOnce)
	case <-s.registry.Ending().Done():
		return nil, errEndingLoad
	case <-ctx.Done():
		return nil, errClientGone
	}
}

// aboutPackage returns sentences that say what is wrong with the wanted packages, or "" if err is not
// about them. The text of err itself can contain the registry's address, which clients must not learn.
func aboutPackage(err error) string {
	var b strings.Builder
	if d, ok := errors.AsType[*npm.DependencyError](err); ok && d.From != "" {
		fmt.Fprintf(&b, "The package %s depends on %s@%s. ", d.From, d.Name, d.Range)
	}
	unknown, _ := errors.AsType[*npm.NotFoundError](err)
	unmatched, _ := errors.AsType[*npm.NoVersionError](err)
	missing, _ := errors.AsType[*npm.MissingError](err)
	rejected, _ := errors.AsType[*npm.RejectedError](err)
	switch {
	case unknown != nil:
		fmt.Fprintf(&b, "The registry has no package %s. Check its name.", unknown.Name)
	case unmatched != nil:
		fmt.Fprintf(&b, "The package %s has no version that matches %q.", unmatched.Spec.Name, unmatched.Spec.Range)
		if len(unmatched.Newest) > 0 {
			fmt.Fprintf(&b, " The newest versions are %s.", strings.Join(unmatched.Newest, ", "))
		}
	case missing != nil:
		fmt.Fprintf(&b, "The server contacts no registry, and its cache lacks %s. Ask for other packages.", missing.What)
	case rejected != nil && rejected.Package == "":
		b.Reset() // the limit is that of all packages
		fmt.Fprintf(&b, "The packages cannot be used together: %s. Ask for fewer.", rejected.Reason)
	case rejected != nil:
		fmt.Fprintf(&b, "The package %s cannot be used: %s. Ask for another version, or another package.", rejected.Package, rejected.Reason)
	default:
		return ""
	}
	return b.String()
}
