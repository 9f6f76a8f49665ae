package compile

import (
	"path"
	"strings"

	"github.com/bellglass/bellglass/vfs"
)

const publicFolder = "/public"

// public returns the files of the folder public of a project, by their paths without it. The
// development servers of Vite and others serve them there. A folder is a project if it has a
// package.json and a page at its root: the folder public of any other means itself.
func (p *project) public() map[string]string {
	if !p.resolver.has("/package.json") || !p.resolver.has("/index.html") {
		return nil
	}
	var links map[string]string
	for entry := range p.files.Entries() {
		if short, ok := strings.CutPrefix(entry.Path, publicFolder); ok && strings.HasPrefix(short, "/") && p.isFree(short) {
			if links == nil {
				links = map[string]string{}
			}
			links[short] = entry.Path
		}
	}
	return links
}

// isFree reports whether a file can be at a path besides all others. The reserved folder is never
// free.
func (p *project) isFree(file string) bool {
	if strings.HasPrefix(file, vfs.Reserved+"/") || file == vfs.Reserved {
		return false
	}
	if _, err := p.files.Stat(file[1:]); err == nil {
		return false // a file, or a folder
	}
	for folder := path.Dir(file); folder != "/"; folder = path.Dir(folder) {
		if p.resolver.has(folder) {
			return false
		}
	}
	return true
}
