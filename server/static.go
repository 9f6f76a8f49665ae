package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/static"
	"github.com/bellglass/bellglass/vfs"
)

// If the policy prefers the worker, the server answers requests for files that do not pass
// through the worker. It serves the same addresses as the worker does (sw/src/virtual.ts),
// under the rules that the browser alone enforces. The server need not know whether there is a
// worker, because these rules contain any document.

// servesFile reports whether the server itself serves the requested file.
func servesFile(x *exchange, r *http.Request) bool {
	// The outer frame loads the view's document. Other requests must come from the sandbox's
	// own origin.
	destination := r.Header.Get("Sec-Fetch-Dest")
	return x.version.WithoutWorker != nil && destination != destServiceWorker && r.Header.Get(protocol.ContentHeader) == "" &&
		(slices.Contains(inFrames, destination) || fromSameOrigin(x, r))
}

// getStatic serves a file.
func (s *Server) getStatic(c echo.Context) error {
	err := s.findStatic(c)
	if answer, ok := errors.AsType[*api.Refusal](err); ok && answer.Code == api.CodeFileChanged {
		// The next attempt may succeed.
		return refuse(http.StatusServiceUnavailable, api.CodeFileChanged, "%s has changed on disk since revision %d was made. Load it again: the next revision has it.", c.Request().URL.Path, versionOf(c.Request()).Revision)
	}
	return err
}

func (s *Server) findStatic(c echo.Context) error {
	r, header, sandbox, v := c.Request(), c.Response().Header(), sandboxOf(c.Request()), versionOf(c.Request())
	if err := charge(c, sandbox.requests, 1); err != nil {
		return err
	}
	navigation := r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if navigation {
		sandbox.ServedWithoutWorker()
	}
	path, ok := static.DecodePath(r.URL.EscapedPath())
	if !ok {
		return refuse(http.StatusBadRequest, "bad-path", "The path %s is not percent-encoded UTF-8, or holds an empty segment, or an encoded slash, backslash or control character.", r.URL.EscapedPath())
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "%s %s: virtual files can only be read. Allowed are GET and HEAD.", r.Method, path)
	}
	file, found := static.Find(v.Served, path, sandbox.Fallback(), navigation)
	switch found {
	case static.File:
		return sandbox.writeFile(c, file, navigation)
	case static.Folder:
		return sandbox.writeFolder(c, file, navigation)
	case static.OwnNotFound:
		return sandbox.writeWhole(c, file, http.StatusNotFound, sandbox.withClient(v))
	default:
		text := static.NotFound(v.Files, v.Revision, path, sandbox.Fallback(), navigation)
		if !navigation {
			return c.String(http.StatusNotFound, text)
		}
		return c.HTML(http.StatusNotFound, static.NotFoundPage(text))
	}
}

// writeFolder leads to a folder's address, which ends with a slash. Without the slash,
// relative links of the folder's page would be wrong. Connection-Allowlist refuses every
// redirect. So a document gets a page that loads the address, and any other request gets the
// folder's page at once, with the address in Content-Location.
func (sb *Sandbox) writeFolder(c echo.Context, page vfs.Entry, navigation bool) error {
	r := c.Request()
	address := sb.URL() + r.URL.EscapedPath() + "/"
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	if navigation {
		return c.HTML(http.StatusOK, static.FolderPage(address))
	}
	c.Response().Header().Set("Content-Location", address)
	return sb.writeFile(c, page, false)
}

// scripts are the destinations for which a browser would run a file. sources are the types of
// languages that browsers cannot run.
var (
	scripts = []string{destScript, "worker", "sharedworker", "audioworklet", "paintworklet"}
	sources = regexp.MustCompile(`^text/(typescript|tsx|jsx)\b`)
)

// compiled returns what a file is compiled to for a destination, or else the file itself.
func compiled(v version, file vfs.Entry, destination string) vfs.Entry {
	if slices.Contains(scripts, destination) {
		if made, ok := v.Served.Lookup(compile.ScriptPath(file.Path)); ok {
			return made
		}
	}
	return file
}

func (sb *Sandbox) writeFile(c echo.Context, file vfs.Entry, navigation bool) error {
	r := c.Request()
	destination, mode := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Mode")
	file = compiled(versionOf(r), file, destination)
	switch {
	case slices.Contains(scripts, destination) && sources.MatchString(file.Type):
		kind, _, _ := strings.Cut(file.Type, ";")
		return refuse(http.StatusUnsupportedMediaType, "not-javascript", "%s is %s, which no browser runs, and Bellglass does not compile this file. It compiles .ts, .mts, .tsx, and .jsx outside node_modules.", file.Path, kind)
	case navigation && strings.HasPrefix(file.Type, "text/html"):
		return sb.writeWhole(c, file, http.StatusOK, sb.withClient(versionOf(r)))
	case (destination == "worker" || destination == "sharedworker") && mode == "same-origin" && strings.HasPrefix(file.Type, "text/javascript"):
		return sb.writeWhole(c, file, http.StatusOK, func(script []byte) []byte { return static.WithPrelude(script, sb.server.worker.Prelude()) })
	default:
		return sb.writePart(c, file, navigation)
	}
}

// writeWhole answers with a file after change has changed it. The response is not cached,
// because the policy that comes with it may differ the next time.
func (sb *Sandbox) writeWhole(c echo.Context, file vfs.Entry, status int, change func([]byte) []byte) error {
	blob, ok := sb.Blob(file.Hash)
	if !ok {
		return refuse(http.StatusGone, api.CodeFileChanged, "%s has changed.", file.Path)
	}
	return api.ServeContent(sb.Sandbox, blob, 0, func(content io.ReadSeeker) {
		data, err := io.ReadAll(content)
		if err != nil {
			return // serveContent reports it
		}
		data = change(data)
		header := c.Response().Header()
		header.Set("Content-Type", file.Type)
		header.Set("Content-Length", fmt.Sprint(len(data)))
		c.Response().WriteHeader(status)
		if c.Request().Method != http.MethodHead {
			_, _ = c.Response().Write(data) // the browser may be gone
		}
	})
}

func (sb *Sandbox) withClient(v version) func([]byte) []byte {
	return func(document []byte) []byte {
		return static.WithClient(document, sb.clientTag(v)+sb.server.innerPages.ClientRest())
	}
}

// writePart answers with an unchanged file, or with the part of it that Range names. Documents
// are not cached.
func (sb *Sandbox) writePart(c echo.Context, file vfs.Entry, navigation bool) error {
	r, header := c.Request(), c.Response().Header()
	blob, ok := sb.Blob(file.Hash)
	if !ok {
		return refuse(http.StatusGone, api.CodeFileChanged, "%s has changed.", file.Path)
	}
	etag := `"` + file.Hash.String()[:32] + `"`
	var span static.Span
	if same := r.Header.Get("If-Range"); same == "" || same == etag {
		span = static.ParseRange(r.Header.Get("Range"), file.Size)
	}
	if span.IsOutside {
		header.Set("Content-Range", fmt.Sprintf("bytes */%d", file.Size))
		return refuse(http.StatusRequestedRangeNotSatisfiable, "range-not-satisfiable", "%s has %d bytes; the range %s lies outside.", file.Path, file.Size, r.Header.Get("Range"))
	}
	r.Header.Set("Range", span.String())
	r.Header.Del("If-Range")
	return api.ServeContent(sb.Sandbox, blob, span.First, func(content io.ReadSeeker) {
		header.Set("Content-Type", file.Type)
		if navigation {
			r.Header.Del("If-None-Match")
		} else {
			header.Set("ETag", etag)
			header.Set("Cache-Control", "no-cache")
		}
		http.ServeContent(c.Response(), r, "", time.Time{}, content)
	})
}
