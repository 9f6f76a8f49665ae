package static

import "github.com/bellglass/bellglass/vfs"

// A Found says what exists at a path.
type Found uint8

// The results of [Find]. The zero value means that nothing exists.
const (
	Nothing Found = iota
	// File: the file itself, or the page that is served for the path.
	File
	// Folder: a page exists at the path with a slash appended.
	Folder
	// OwnNotFound: nothing exists, and the sandbox has its own page to say so.
	OwnNotFound
)

// Find looks up a path that [DecodePath] returned. If nothing exists there, a
// navigation gets the file at the path fallback or else /404.html, if there is one.
// Other requests do not.
func Find(files *vfs.Snapshot, path, fallback string, navigation bool) (vfs.Entry, Found) {
	at := func(path string) (vfs.Entry, bool) { return files.Lookup(path) }
	named := path
	if path[len(path)-1] == '/' {
		named += "index.html"
	}
	if file, ok := at(named); ok {
		return file, File
	}
	if named == path {
		if page, ok := at(path + ".html"); ok {
			return page, File
		}
		if page, ok := at(path + "/index.html"); ok {
			return page, Folder
		}
	}
	if !navigation {
		return vfs.Entry{}, Nothing
	}
	if fallback != "" {
		if page, ok := at(fallback); ok {
			return page, File
		}
	}
	if page, ok := at("/404.html"); ok {
		return page, OwnNotFound
	}
	return vfs.Entry{}, Nothing
}
