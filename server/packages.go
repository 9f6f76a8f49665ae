package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/npm"
)

// loadsAtOnce is how many requests fetch packages at the same time.
const loadsAtOnce = 4

// loadPackages resolves and fetches packages for a sandbox: ranges by name, as in package.json. It is
// the only place where the server asks a registry.
func (s *Server) loadPackages(ctx context.Context, wanted map[string]string) (compile.Packages, error) {
	if s.config.Packages == nil {
		return nil, refuse(http.StatusUnprocessableEntity, "bad-package", "This server adds no packages (--no-packages, in Go Config.Packages). Put the modules into the files, or import them by their URLs.")
	}
	select {
	case s.loading <- struct{}{}:
		defer func() { <-s.loading }()
	case <-ctx.Done():
		return nil, errClientGone
	}
	set, err := packages.Load(ctx, packages.Request{Dependencies: wanted}, *s.config.Packages)
	if err == nil {
		return set, nil
	}
	_, unknown := errors.AsType[*npm.NotFoundError](err)
	_, noVersion := errors.AsType[*npm.NoVersionError](err)
	_, missing := errors.AsType[*npm.MissingError](err)
	switch {
	case ctx.Err() != nil:
		return nil, errClientGone
	case unknown || noVersion || missing:
		return nil, refuse(http.StatusUnprocessableEntity, "bad-package", "A package cannot be had: %v.", err)
	}
	// The text can name the registry's address, which is the server's own business.
	s.config.Log.Warn("packages could not be fetched", "error", err)
	return nil, refuse(http.StatusBadGateway, "registry", "The packages could not be fetched from the registry, and no sandbox was made. The server's log says why. Try again later.")
}
