package sandbox

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/protocol"
)

// A browser names places in the scripts that it gets. These methods find the places in the sources
// of these scripts. The report of an older document is read by the newest revision, because a
// report does not say which one it is about.

// original returns the place in a source that a place in a script comes from, or else the place
// itself.
func (sb *Sandbox) original(p protocol.Place) protocol.Place {
	if line, col, ok := sb.position(p.URL, p.Line, p.Col); ok {
		p.Line, p.Col = line, col
	}
	return p
}

func (sb *Sandbox) position(address string, line, col int) (int, int, bool) {
	v, _ := sb.Version()
	rest, own := strings.CutPrefix(address, sb.URL()+"/")
	if v.Served == v.Files || !own {
		return 0, 0, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	path, err := url.PathUnescape("/" + rest)
	if err != nil {
		return 0, 0, false
	}
	at, ok := sb.registry.config.Compiler.Original(v.Served, path, compile.Position{Line: line, Column: col})
	return at.Line, at.Column, ok
}

// placed finds a URL with line and column, as all browsers write them in a stack.
var placed = regexp.MustCompile(`(https?://[^\s()]+):(\d+):(\d+)`)

// originals replaces the places in the text of a stack.
func (sb *Sandbox) originals(stack string) string {
	if v, _ := sb.Version(); v.Served == v.Files {
		return stack
	}
	return placed.ReplaceAllStringFunc(stack, func(found string) string {
		parts := placed.FindStringSubmatch(found)
		line, errLine := strconv.Atoi(parts[2])
		col, errCol := strconv.Atoi(parts[3])
		if errLine != nil || errCol != nil {
			return found
		}
		line, col, ok := sb.position(parts[1], line, col)
		if !ok {
			return found
		}
		return fmt.Sprintf("%s:%d:%d", parts[1], line, col)
	})
}
