package server

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

func (s *Server) listFiles(c echo.Context) error {
	files, revision := sandboxOf(c.Request()).Files()
	list := FileList{Revision: revision, Files: make([]FileInfo, 0, files.Len())}
	for entry := range files.Entries() {
		list.Files = append(list.Files, FileInfo(entry))
	}
	return answerCurrent(c, revision, func() error { return c.JSON(http.StatusOK, list) })
}

// filePath returns the path of the file that the request names. Its slashes may be
// percent-encoded, because generated clients encode them.
func filePath(c echo.Context) string {
	return strings.TrimPrefix(c.Request().URL.Path, apiRoot+"/sandboxes/"+sandboxOf(c.Request()).ID()+"/files")
}

// getFile never sends a type that a browser would run or show: the bytes are untrusted, and
// this origin is ours.
func (s *Server) getFile(c echo.Context) error {
	path := filePath(c)
	files, revision := sandboxOf(c.Request()).Files()
	entry, found := files.Lookup(path)
	blob, _ := files.Blob(entry.Hash)
	if !found {
		return refuse(http.StatusNotFound, "unknown-file", "Revision %d has no file %.200q. Check the spelling: paths are case-sensitive.", revision, path)
	}
	return answerCurrent(c, revision, func() error {
		c.Response().Header().Set("Content-Disposition", "attachment")
		return sandboxOf(c.Request()).serveContent(blob, 0, func(content io.ReadSeeker) {
			c.Response().Header().Set("Content-Type", mediaBytes)
			c.Response().Header().Set("Content-Length", strconv.FormatInt(blob.Size(), 10))
			c.Response().WriteHeader(http.StatusOK)
			// Copying fails if the content has changed, which serveContent reports, or if the
			// client is gone.
			_, _ = io.Copy(c.Response(), content)
		})
	})
}

func (s *Server) putFile(c echo.Context) error {
	path := filePath(c)
	// The path is checked before the body is read, because the body may be large.
	if err := vfs.CheckPath(path, vfs.DefaultLimits()); err != nil {
		return err
	}
	body, free, err := s.upload(c, uploadBytes)
	if err != nil {
		return err
	}
	defer free()
	return edit(c, Edit{Files: []vfs.Change{vfs.Put(path, body)}})
}

// replaceFiles unpacks an archive. Content-Type says of which kind it is.
func (s *Server) replaceFiles(c echo.Context) error {
	body, free, err := s.upload(c, uploadBytes)
	if err != nil {
		return err
	}
	defer free()
	files, err := s.unpack(c, body)
	if err != nil {
		return err
	}
	defer s.store.Release(files)
	return edit(c, Edit{All: files})
}

func (s *Server) deleteFile(c echo.Context) error {
	return edit(c, Edit{Files: []vfs.Change{vfs.Delete(filePath(c))}})
}

func (s *Server) patchFiles(c echo.Context) error {
	var patch FilesPatch
	_, free, err := s.uploadJSON(c, &patch)
	if err != nil {
		return err
	}
	defer free()
	changes, err := patch.Changes()
	if err != nil {
		return err
	}
	return edit(c, Edit{Files: changes})
}

// edit makes the change at the revision that the request expects, and answers with the new
// revision. The status is 201 if a PUT has created a file, and 200 otherwise.
func edit(c echo.Context, change Edit) (err error) {
	if change.At, err = api.Expected(c.Request().Header); err != nil {
		return err
	}
	edited, err := sandboxOf(c.Request()).Edit(change)
	if err != nil {
		return err
	}
	c.Response().Header().Set("ETag", api.ETag(edited.Revision))
	status := http.StatusOK
	if c.Request().Method == http.MethodPut && change.All == nil && len(edited.Files.Added) > 0 {
		status = http.StatusCreated
	}
	return c.JSON(status, Revised{Revision: edited.Revision})
}
