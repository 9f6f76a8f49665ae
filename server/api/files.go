package api

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

func (a *API) listFiles(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	files, revision := sb.Files()
	list := FileList{Revision: revision, Files: make([]FileInfo, 0, files.Len())}
	for entry := range files.Entries() {
		list.Files = append(list.Files, FileInfo(entry))
	}
	return answerCurrent(w, r, revision, func() error { return answerJSON(w, http.StatusOK, list) })
}

// filePath returns the path of the file that the request names. Its slashes may be
// percent-encoded, because generated clients encode them.
func filePath(r *http.Request, sb *sandbox.Sandbox) string {
	return strings.TrimPrefix(r.URL.Path, Root+"/sandboxes/"+sb.ID()+"/files")
}

// getFile never sends a type that a browser would run or show: the bytes are untrusted, and
// this origin is ours.
func (a *API) getFile(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	path := filePath(r, sb)
	files, revision := sb.Files()
	entry, found := files.Lookup(path)
	blob, _ := files.Blob(entry.Hash)
	if !found {
		return Refuse(http.StatusNotFound, "unknown-file", "Revision %d has no file %.200q. Check the spelling: paths are case-sensitive.", revision, path)
	}
	return answerCurrent(w, r, revision, func() error {
		w.Header().Set("Content-Disposition", "attachment")
		return ServeContent(sb, blob, 0, func(content io.ReadSeeker) {
			w.Header().Set("Content-Type", MediaBytes)
			w.Header().Set("Content-Length", strconv.FormatInt(blob.Size(), 10))
			w.WriteHeader(http.StatusOK)
			// Copying fails if the content has changed, which ServeContent reports, or if the
			// client is gone.
			_, _ = io.Copy(w, content)
		})
	})
}

func (a *API) putFile(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	path := filePath(r, sb)
	// The path is checked before the body is read, because the body may be large.
	if err := vfs.CheckPath(path, vfs.DefaultLimits()); err != nil {
		return err
	}
	body, free, err := a.Upload(w, r, MaxBody)
	if err != nil {
		return err
	}
	defer free()
	return edit(w, r, sb, sandbox.Edit{Files: []vfs.Change{vfs.Put(path, body)}})
}

// replaceFiles unpacks an archive. Content-Type says of which kind it is.
func (a *API) replaceFiles(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	body, free, err := a.Upload(w, r, MaxBody)
	if err != nil {
		return err
	}
	defer free()
	files, err := a.Unpack(r.Context(), r.Header.Get("Content-Type"), body)
	if err != nil {
		return err
	}
	defer a.Registry.Store().Release(files)
	return edit(w, r, sb, sandbox.Edit{All: files})
}

func (a *API) deleteFile(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	return edit(w, r, sb, sandbox.Edit{Files: []vfs.Change{vfs.Delete(filePath(r, sb))}})
}

func (a *API) patchFiles(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	var patch FilesPatch
	_, free, err := a.uploadJSON(w, r, &patch)
	if err != nil {
		return err
	}
	defer free()
	changes, err := patch.changes()
	if err != nil {
		return err
	}
	return edit(w, r, sb, sandbox.Edit{Files: changes})
}

// edit makes the change at the revision that the request expects, and answers with the new
// revision. The status is 201 if a PUT has created a file, and 200 otherwise.
func edit(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox, change sandbox.Edit) (err error) {
	if change.At, err = expected(r.Header); err != nil {
		return err
	}
	edited, err := sb.Edit(change)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", ETag(edited.Revision))
	status := http.StatusOK
	if r.Method == http.MethodPut && change.All == nil && len(edited.Files.Added) > 0 {
		status = http.StatusCreated
	}
	return answerJSON(w, status, Revised{Revision: edited.Revision, Files: sandbox.FileChanges(edited.Files), Diagnostics: edited.Diagnostics})
}

// ServeContent calls serve with a content. It first verifies the block that contains the byte
// at first. It panics with [http.ErrAbortHandler] if serve has met a block that has changed.
func ServeContent(sb *sandbox.Sandbox, blob vfs.Blob, first int64, serve func(io.ReadSeeker)) error {
	content, err := blob.Open()
	if err == nil {
		defer content.Close()
		err = content.Verify(first)
	}
	if err != nil {
		sb.Warn("a file changed on disk and is not served", "error", err)
		if path, ok := errors.AsType[*vfs.PathError](err); ok {
			return Refuse(http.StatusGone, CodeFileChanged, "%s", AboutPath(path))
		}
		return Refuse(http.StatusGone, CodeFileChanged, "The file cannot be read: %v.", err)
	}
	serve(content)
	if err := content.Err(); err != nil {
		sb.Warn("a file changed on disk while it was served; the answer breaks off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}
