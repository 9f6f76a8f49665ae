package server

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// Limits of what a worker may send at once. The worker is ours, but the limits
// hold whoever has come by its secret.
const (
	maxPackRequest = 4 << 20 // bytes: 64,000 hashes
	maxVerdicts    = 8 << 20 // bytes
)

// requireSecret lets only the sandbox's worker pass.
func requireSecret(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		got, want := c.Request().Header.Get(protocol.SecretHeader), sandboxOf(c.Request()).secret
		if subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
			return refuse(http.StatusForbidden, "worker-only", "This path answers only to the sandbox's own service worker.")
		}
		return next(c)
	}
}

// getState answers the state, or 204 when the worker has this revision already.
func (s *Server) getState(c echo.Context) error {
	v, _ := sandboxOf(c.Request()).now()
	if c.QueryParam("have") == strconv.FormatInt(v.revision, 10) {
		return c.NoContent(http.StatusNoContent)
	}
	return c.Blob(http.StatusOK, "application/json", v.state)
}

// getChanges streams the number of each revision, a line each, beginning with
// the current one, until the worker goes.
func (s *Server) getChanges(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	w := http.NewResponseController(c.Response())
	c.Response().Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.Response().WriteHeader(http.StatusOK)
	for {
		v, changed := sandbox.now()
		if _, err := fmt.Fprintln(c.Response(), v.revision); err != nil {
			return nil // the worker is gone
		}
		if err := w.Flush(); err != nil {
			return nil
		}
		select {
		case <-changed:
		case <-c.Request().Context().Done():
			return nil
		}
	}
}

// postPack answers the contents that the worker lacks, those of them that the
// current files hold. What is missing from the answer the worker asks for singly.
func (s *Server) postPack(c echo.Context) error {
	var hashes []string
	if err := readJSON(c.Request(), maxPackRequest, &hashes); err != nil {
		return err
	}
	v, _ := sandboxOf(c.Request()).now()
	contents := make([]sw.Content, 0, len(hashes))
	for _, text := range hashes {
		hash, err := vfs.ParseHash(text)
		if err != nil {
			return refuse(http.StatusBadRequest, "bad-hash", "%q is not a content hash: %v.", text, err)
		}
		if blob, ok := v.files.Blob(hash); ok {
			contents = append(contents, sw.Content{Hash: text, Bytes: blob.Bytes()})
		}
	}
	c.Response().Header().Set("Content-Type", "application/octet-stream")
	return sw.WritePack(c.Response(), contents)
}

// getBlob answers one content, or the part of it that Range names.
func (s *Server) getBlob(c echo.Context) error {
	hash, err := vfs.ParseHash(c.Param("hash"))
	if err != nil {
		return refuse(http.StatusBadRequest, "bad-hash", "%q is not a content hash: %v.", c.Param("hash"), err)
	}
	v, _ := sandboxOf(c.Request()).now()
	blob, ok := v.files.Blob(hash)
	if !ok {
		return refuse(http.StatusNotFound, "no-content", "No file of revision %d has this content.", v.revision)
	}
	c.Response().Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(blob.Bytes()))
	return nil
}

// postVerdicts takes what the worker decided into the log.
func (s *Server) postVerdicts(c echo.Context) error {
	var batch sw.Batch
	if err := readJSON(c.Request(), maxVerdicts, &batch); err != nil {
		return err
	}
	sandbox := sandboxOf(c.Request())
	for _, v := range batch.Verdicts {
		sandbox.recordVerdict(v)
	}
	sandbox.recordDropped(batch.Dropped, protocol.SourceWorker)
	return c.NoContent(http.StatusNoContent)
}

// readJSON reads one JSON value of at most limit bytes.
func readJSON(r *http.Request, limit int64, into any) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return refuse(http.StatusBadRequest, "body", "The body could not be read: %v.", err)
	}
	if int64(len(body)) > limit {
		return refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The body is larger than %d bytes.", limit)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return refuse(http.StatusBadRequest, "bad-json", "The body is not the JSON that this path takes: %v.", err)
	}
	return nil
}
