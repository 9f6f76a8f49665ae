package cli

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// entryOf returns the path of the file that the view's first address leads to, or "".
func entryOf(files *vfs.Snapshot, entry, fallback string) string {
	path := pathOf(entry)
	candidates := []string{entry, fallback, path, path + ".html", path + "/index.html"}
	if strings.HasSuffix(path, "/") {
		candidates = []string{fallback, path + "index.html"}
	}
	for _, candidate := range candidates {
		if _, is := files.Lookup(candidate); is {
			return candidate
		}
	}
	return ""
}

func pathOf(entry string) string {
	u, err := url.Parse(entry)
	if err != nil {
		return entry
	}
	return u.Path
}

// mains matches the usual names of the script with which an application begins.
var mains = regexp.MustCompile(`^/(src/)?(main|index|app|App)\.(tsx|ts|jsx|js|mjs)$`)

const mostPages = 5 // that a message names

// noEntry explains that no file answers the view's first address, and names pages that the user
// can open instead. Its text is only a warning, because the file may still be created.
func noEntry(files *vfs.Snapshot, entry string) string {
	path := pathOf(entry)
	var names, pages, scripts []string
	for file := range files.Entries() {
		names = append(names, file.Path)
		if strings.HasPrefix(file.Type, "text/html") {
			pages = append(pages, file.Path)
		}
		if mains.MatchString(file.Path) {
			scripts = append(scripts, file.Path)
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
	case len(pages) > mostPages:
		return fmt.Sprintf("%s; open another page with --entry: %s, or one of %d more", what, strings.Join(pages[:mostPages], ", "), len(pages)-mostPages)
	case len(pages) > 0:
		return fmt.Sprintf("%s; open another page with --entry: %s", what, strings.Join(pages, ", "))
	case len(scripts) > 0:
		return fmt.Sprintf(`%s, and no HTML file at all; write one with <script type="module" src=%q></script>`, what, scripts[0])
	}
	return what + ", and no HTML file at all; if the folder is a project that has to be built, build it and serve the output folder"
}
