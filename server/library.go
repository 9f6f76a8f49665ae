package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/client"
)

// The browser library is at the outer frame's origin. Every page that shows a sandbox can
// reach that origin, and its Content-Security-Policy names it already.
const (
	libraryPath     = "/bellglass.js"
	declarationPath = "/bellglass.d.ts"
)

// LibraryURL returns the address of the browser library, an ES module that an allowed
// embedder's page can import. Its types are in bellglass.d.ts beside it.
func (s *Server) LibraryURL() string { return s.outerOrigin + libraryPath }

func (s *Server) libraryRoutes() []route {
	declaration := client.Declaration()
	sum := sha256.Sum256(declaration)
	return []route{
		{methods: gets, path: libraryPath, handle: s.serveLibrary("text/javascript; charset=utf-8", s.library.Hash, s.library.JS)},
		{methods: gets, path: declarationPath, handle: s.serveLibrary("text/plain; charset=utf-8", hex.EncodeToString(sum[:]), declaration)},
	}
}

// serveLibrary serves the library to pages of allowed embedders, and to clients that are not
// pages of another origin, such as a compiler. Browsers always fetch modules with CORS. So the
// response's Cross-Origin-Resource-Policy, which is same-origin as everywhere, only blocks
// loads as something else than a module.
func (s *Server) serveLibrary(contentType, hash string, content []byte) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Vary", "Origin")
		if origin := c.Request().Header.Get("Origin"); origin != "" {
			if !slices.Contains(s.embedders, origin) {
				return refuse(http.StatusForbidden, "not-an-embedder", "A page of %.100q requested the browser library, but that origin may not embed a sandbox. Allow it with --embedder (in Go, Config.Embedders).", origin)
			}
			header.Set("Access-Control-Allow-Origin", origin)
		}
		// Browsers keep the library but revalidate it, because another version of the server
		// serves another one.
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", `"`+hash+`"`)
		header.Set("Content-Type", contentType)
		c.Request().Header.Del("Range")
		http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(content))
		return nil
	}
}
