package static

import "github.com/bellglass/bellglass/vfs"

// A Found says what there is at a path.
type Found uint8

// What there can be. The zero value is nothing.
const (
	Nothing Found = iota
	// File: the file, or the page that stands for the path.
	File
	// Folder: a page at the path with a slash behind it.
	Folder
	// OwnNotFound: nothing, for which the sandbox has a page of its own.
	OwnNotFound
)

// Find looks for a path as [DecodePath] returns it. Only a navigation gets the fallback,
// the file with that path if there is one, or /404.html.
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
