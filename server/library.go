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

// The browser library is on the outer frame's origin: whoever shows a sandbox
// reaches that one, and a page's Content-Security-Policy names it already.
const (
	libraryPath     = "/bellglass.js"
	declarationPath = "/bellglass.d.ts"
)

// LibraryURL returns the address of the browser library, an ES module that an
// allowed embedder's page can import. Its types are beside it, as bellglass.d.ts.
func (s *Server) LibraryURL() string { return s.outerOrigin + libraryPath }

func (s *Server) libraryRoutes() []route {
	declaration := client.Declaration()
	sum := sha256.Sum256(declaration)
	return []route{
		{methods: gets, path: libraryPath, handle: s.serveLibrary("text/javascript; charset=utf-8", s.library.Hash, s.library.JS)},
		{methods: gets, path: declarationPath, handle: s.serveLibrary("text/plain; charset=utf-8", hex.EncodeToString(sum[:]), declaration)},
	}
}

// serveLibrary answers a page of an allowed embedder, and what is no page of
// another origin at all (a compiler, say). A module is fetched with CORS, always,
// so that the answer's Cross-Origin-Resource-Policy, same-origin as everywhere,
// keeps out only those who would load it as something else.
func (s *Server) serveLibrary(contentType, hash string, content []byte) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Vary", "Origin")
		if origin := c.Request().Header.Get("Origin"); origin != "" {
			if !slices.Contains(s.embedders, origin) {
				return refuse(http.StatusForbidden, "not-an-embedder", "A page of %.100q asked for the browser library, and that origin may not embed a sandbox. Name it as an embedder in the server's configuration.", origin)
			}
			header.Set("Access-Control-Allow-Origin", origin)
		}
		// Kept, but asked about each time: another version of the server has another.
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", `"`+hash+`"`)
		header.Set("Content-Type", contentType)
		c.Request().Header.Del("Range")
		http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(content))
		return nil
	}
}
