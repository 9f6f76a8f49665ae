package server

import (
	"bufio"
	"crypto/subtle"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// verdictsLimit limits one batch of a worker. The worker is ours, but the limit also holds for
// anyone who has obtained its secret.
var verdictsLimit = bodyLimit{bytes: 2 << 20, values: 16_000}

// requireSecret accepts only requests of the sandbox's worker.
func requireSecret(next echo.HandlerFunc) echo.HandlerFunc {
	return require(protocol.SecretHeader, func(sb *Sandbox) string { return sb.secret }, next)
}

// requireKey accepts only requests of the sandbox's worker. It guards contents that page code
// can get through the worker anyway.
func requireKey(next echo.HandlerFunc) echo.HandlerFunc {
	return require(protocol.KeyHeader, func(sb *Sandbox) string { return sb.key }, next)
}

func require(header string, of func(*Sandbox) string, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		got, want := c.Request().Header.Get(header), of(sandboxOf(c.Request()))
		if subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
			return refuse(http.StatusForbidden, "worker-only", "This path is only for the sandbox's own service worker.")
		}
		return next(c)
	}
}

// acknowledge notes the newest revision that the worker knows of. Changes wait for this, so
// acknowledge comes before all guards that may refuse the request.
func acknowledge(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		sandboxOf(c.Request()).Told(c.QueryParam("holder"), toldOf(c))
		return next(c)
	}
}

// toldOf returns the newest revision that the worker knows of, or 0 if it does not say.
func toldOf(c echo.Context) int64 {
	told, err := strconv.ParseInt(c.QueryParam("told"), 10, 64)
	if err != nil {
		return 0
	}
	return told
}

// getState answers with the state and the contents that the worker lacks, or with 204 if the
// worker has this revision already. A header says how long the worker may answer from it. With
// newer=1 the answer waits up to [protocol.HeldFor] for a revision that the worker does not
// have. The request costs 1 token, and 1 more for each MiB of contents.
func (s *Server) getState(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	v, changed := sandbox.Version()
	have := revisionOf(c.QueryParam("have"), v.Revision)
	if c.QueryParam("newer") != "" && have == v.Revision {
		if err := s.held(c, changed); err != nil {
			return err
		}
		v, _ = sandbox.Version()
	}
	if err := charge(c, sandbox.requests, 1+int(v.Preload.Lacking(have)>>20)); err != nil {
		return err
	}
	sandbox.WorkerSeen()
	lease := time.Duration(0)
	// A worker that has acknowledged a later revision answers from this one no more.
	if toldOf(c) <= v.Revision {
		lease = sandbox.Lease(c.QueryParam("holder"), v)
	}
	c.Response().Header().Set(protocol.LeaseHeader, strconv.FormatInt(lease.Milliseconds(), 10))
	if have == v.Revision {
		return c.NoContent(http.StatusNoContent)
	}
	state, err := v.State()
	if err != nil {
		return err
	}
	kept, sent, contents, err := v.Preload.Contents(v.Served, have)
	if err != nil {
		return err
	}
	parts, err := sw.StateResponse(state, sw.PreloadIndex{Kept: kept, Sent: sent}, contents)
	if err != nil {
		return err
	}
	return writeParts(c, parts)
}

// held returns when the sandbox has changed, and after [protocol.HeldFor] at the latest.
func (s *Server) held(c echo.Context, changed <-chan struct{}) error {
	late := time.NewTimer(protocol.HeldFor)
	defer late.Stop()
	select {
	case <-changed:
		return nil
	case <-late.C:
		return nil
	case <-sandboxOf(c.Request()).Alive().Done():
	case <-s.registry.Ending().Done():
	case <-c.Request().Context().Done():
		return errClientGone
	}
	return refuse(http.StatusServiceUnavailable, codeEnding, "The sandbox or its server is ending.")
}

// revisionOf parses the revision that a worker has. It returns 0 for a revision that never
// existed, as for a worker that has nothing.
func revisionOf(text string, newest int64) int64 {
	revision, err := strconv.ParseInt(text, 10, 64)
	if err != nil || revision < 0 || revision > newest {
		return 0
	}
	return revision
}

// writeParts writes the parts one after the other. It combines thousands of small parts into a
// few large writes.
func writeParts(c echo.Context, parts [][]byte) error {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	c.Response().Header().Set("Content-Type", "application/octet-stream")
	c.Response().Header().Set("Content-Length", strconv.Itoa(size))
	w := bufio.NewWriterSize(c.Response(), writeStep)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return w.Flush()
}

// getChanges streams the number of each revision as a line, beginning with the current one,
// until the worker disconnects. When the server ends, a last line says so.
func (s *Server) getChanges(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	defer sandbox.Listen(c.QueryParam("holder"))()
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.Response().WriteHeader(http.StatusOK)
	for {
		v, changed := sandbox.Version()
		if _, err := fmt.Fprintln(c.Response(), v.Revision); err != nil {
			return nil // the worker is gone
		}
		if err := w.Flush(); err != nil {
			return nil
		}
		select {
		case <-changed:
		case <-c.Request().Context().Done():
			if s.registry.IsEnding() {
				// The worker may be gone already. Then nobody reads this line.
				_, _ = fmt.Fprintln(c.Response(), codeEnding)
			}
			return nil
		}
	}
}

// getBlob answers with a content, or with the part of it that Range names.
func (s *Server) getBlob(c echo.Context) error {
	hash, err := vfs.ParseHash(param(c, "hash"))
	if err != nil {
		return refuse(http.StatusBadRequest, "bad-hash", "%q is not a content hash: %v.", param(c, "hash"), err)
	}
	return s.serveBlob(c, hash, func() { c.Response().Header().Set("Content-Type", "application/octet-stream") })
}

// serveBlob answers with a content, or with the part of it that Range names. found sets the
// headers of the response once the content has been found.
//
// If a content on disk has changed, the request is refused. If that is noticed after some of
// it was sent, the response is aborted, so that no client gets a mixture of two versions.
func (s *Server) serveBlob(c echo.Context, hash vfs.Hash, found func()) error {
	sandbox := sandboxOf(c.Request())
	blob, ok := sandbox.Blob(hash)
	if !ok {
		return refuse(http.StatusNotFound, "no-content", "No file has this content, neither in revision %d nor in the one it has just replaced.", sandbox.Revision())
	}
	if !oneRange.MatchString(c.Request().Header.Get("Range")) {
		c.Request().Header.Del("Range")
	}
	return api.ServeContent(sandbox.Sandbox, blob, firstOf(c.Request().Header.Get("Range")), func(content io.ReadSeeker) {
		found()
		http.ServeContent(c.Response(), c.Request(), "", time.Time{}, content)
	})
}

// firstOf returns the first byte that a Range names. It returns 0 for a Range that does not
// match [oneRange].
func firstOf(span string) int64 {
	text, _, _ := strings.Cut(strings.TrimPrefix(span, "bytes="), "-")
	first, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0 // no range, or one that lies outside
	}
	return first
}

// getContent answers with a content, or a part of it, as the worker would: with the policy of
// a virtual file. The worker compares that policy with its own.
func (s *Server) getContent(c echo.Context) error {
	text, kind, _ := strings.Cut(c.Request().Header.Get(protocol.ContentHeader), " ")
	hash, err := vfs.ParseHash(text)
	if err != nil {
		return refuse(http.StatusBadRequest, "bad-hash", "%q is not a content hash: %v.", text, err)
	}
	sandbox, header := sandboxOf(c.Request()), c.Response().Header()
	v := versionOf(c.Request())
	policy := v.Firewall.Headers(firewall.Inner, sandbox.site(v))
	return s.serveBlob(c, hash, func() {
		maps.Copy(header, policy)
		header.Set("Content-Type", kind)
		// Only the worker, and not the HTTP cache, knows which content is current.
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", `"`+text[:32]+`"`)
	})
}

type verdicts struct{ sw.Batch }

func (v *verdicts) events() int { return len(v.Verdicts) }

// postVerdicts records the worker's decisions in the log.
func (s *Server) postVerdicts(c echo.Context) error {
	var batch verdicts
	sandbox := sandboxOf(c.Request())
	if err := s.readBatch(c, verdictsLimit, sandbox.verdicts, &batch); err != nil {
		return err
	}
	for _, v := range batch.Verdicts {
		sandbox.RecordVerdict(protocol.VerdictEvent{
			Head: protocol.Head{Revision: v.Revision, Execution: v.Execution}, Method: v.Method, URL: v.URL, Destination: v.Destination,
			Virtual: v.Virtual, Status: v.Status, Opaque: v.Opaque,
			Verdict: protocol.Verdict{Action: v.Action, Rule: v.Rule, Code: v.Code, Reason: v.Reason, File: v.File, Line: v.Line},
		}, v.Type)
	}
	sandbox.RecordDropped(batch.Dropped, protocol.SourceWorker)
	return c.NoContent(http.StatusNoContent)
}
