package static

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/vfs"
)

// nearby limits how many files a text lists.
const nearby = 20

// NotFound says which path does not exist, and which nearby files do.
func NotFound(files *vfs.Snapshot, revision int64, path, fallback string, navigation bool) string {
	folder, isFolder := path[:strings.LastIndexByte(path, '/')+1], strings.HasSuffix(path, "/")
	var below, pages []string
	for entry := range files.Entries() {
		if strings.HasPrefix(entry.Path, folder) && len(below) < nearby {
			below = append(below, entry.Path)
		}
		if strings.HasPrefix(entry.Type, "text/html") && len(pages) < nearby {
			pages = append(pages, entry.Path)
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if isFolder {
		line("404: there is no virtual file %sindex.html in revision %d.", path, revision)
		if navigation {
			line("%s", otherPages(pages))
		}
	} else {
		line("404: there is no virtual file %s in revision %d.", path, revision)
		line("The path would also find %s.html or %s/index.html.", path, path)
		if navigation && fallback == "" {
			line(`For a single-page app, set the page that handles such paths: --fallback /index.html ("fallback" in the HTTP API).`)
		}
	}
	switch len(below) {
	case 0:
		line("No file is below %s. Files in the whole sandbox: %d.", folder, files.Len())
	default:
		line("Files below %s:", folder)
	}
	for _, name := range below {
		line("  %s", name)
	}
	return b.String()
}

// otherPages names documents that the view could open instead.
func otherPages(pages []string) string {
	if len(pages) == 0 {
		return "The sandbox has no HTML file. If its folder is a project that has to be built, build it and serve the output folder."
	}
	text := fmt.Sprintf(`To start with another page, use --entry %s ("entry" in the HTTP API).`, pages[0])
	if len(pages) > 1 {
		text += fmt.Sprintf(" The HTML files are %s.", strings.Join(pages, ", "))
	}
	return text
}
