// Package version says which version of Bellglass a program is. It is the one place for it:
// the server, the command line, and the npm package take it from here.
package version

import (
	"runtime/debug"
	"strings"
)

// Of returns the version of the module from which the running program was built: the tag, or
// a pseudo-version with the commit. It is "(devel)" if the build did not record it.
func Of() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// NPM returns a version of the module in the form of npm: without the letter v, and without
// build metadata, which npm ignores. For "(devel)" it is "0.0.0-devel".
func NPM(module string) string {
	if !strings.HasPrefix(module, "v") {
		return "0.0.0-devel"
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(module, "v"), "+")
	return number
}
