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
		line("The files %s.html and %s/index.html would do as well.", path, path)
		if navigation && fallback == "" {
			line(`For a single-page app, which reads the path itself, name its page: --fallback /index.html ("fallback" in the HTTP API).`)
		}
	}
	switch len(below) {
	case 0:
		line("There is no file below %s; the sandbox has %d in all.", folder, files.Len())
	case 1:
		line("In %s there is:", folder)
	default:
		line("In %s there are:", folder)
	}
	for _, name := range below {
		line("  %s", name)
	}
	return b.String()
}

// otherPages names documents that the view could open instead.
func otherPages(pages []string) string {
	if len(pages) == 0 {
		return "The sandbox has no HTML file at all. Is it the folder of a project that has to be built first?"
	}
	text := fmt.Sprintf(`To open another page first, name it: --entry %s ("entry" in the HTTP API).`, pages[0])
	if len(pages) > 1 {
		text += fmt.Sprintf(" Its pages are %s.", strings.Join(pages, ", "))
	}
	return text
}
