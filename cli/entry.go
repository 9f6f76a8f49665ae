package cli

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// noEntry says that the view's first address leads to no file, and which would. It
// returns "" if the address leads to a file. The file may still appear, so this is only
// a warning.
func noEntry(files *vfs.Snapshot, entry, fallback string) string {
	path := entry
	if u, err := url.Parse(entry); err == nil {
		path = u.Path
	}
	candidates := []string{entry, fallback, path, path + ".html", path + "/index.html"}
	if strings.HasSuffix(path, "/") {
		candidates = []string{fallback, path + "index.html"}
	}
	for _, candidate := range candidates {
		if _, is := files.Lookup(candidate); is {
			return ""
		}
	}
	var names, pages []string
	for file := range files.Entries() {
		names = append(names, file.Path)
		if strings.HasPrefix(file.Type, "text/html") {
			pages = append(pages, file.Path)
		}
	}
	what := fmt.Sprintf("there is no file %s", path)
	if strings.HasSuffix(path, "/") {
		what += "index.html"
	}
	near := rules.Guess(path, pages)
	if near == "" {
		near = rules.Guess(path, names)
	}
	switch {
	case near != "":
		return what + "; " + near
	case len(pages) > 0:
		return fmt.Sprintf("%s; open another page with --entry %s", what, pages[0])
	}
	return what + ", and no HTML file at all; if the folder is a project that has to be built, build it and serve the output folder"
}
