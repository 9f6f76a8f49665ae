package compile

import (
	"bytes"
	"encoding/base64"

	"github.com/go-sourcemap/sourcemap"

	"github.com/bellglass/bellglass/vfs"
)

// A Position is a place in a file. Both numbers count from 1, the column in UTF-16 code units.
type Position struct{ Line, Column int }

// Original returns where in its source a place in the script of the file at the path comes from.
// ok is false if that script is the file itself, or if nothing in the source became this place.
func (c *Compiler) Original(served *vfs.Snapshot, path string, at Position) (original Position, ok bool) {
	entry, found := served.Lookup(ScriptPath(path))
	if !found {
		return Position{}, false
	}
	key := "map " + entry.Hash.String()
	m, known := get[*sourcemap.Consumer](c.cache, key)
	if !known {
		blob, _ := served.Blob(entry.Hash)
		script, err := blob.Bytes()
		if err != nil {
			return Position{}, false // what is compiled is in memory
		}
		m = readMap(script)
		put(c.cache, key, m, len(script))
	}
	if m == nil {
		return Position{}, false
	}
	_, _, line, column, ok := m.Source(at.Line, max(0, at.Column-1))
	return Position{line, column + 1}, ok && line > 0
}

var mapComment = []byte("//# sourceMappingURL=data:application/json;base64,")

// readMap reads the source map at the end of a script. It returns nil for a script without a
// source map.
func readMap(script []byte) *sourcemap.Consumer {
	i := bytes.LastIndex(script, mapComment)
	if i < 0 {
		return nil
	}
	text, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(script[i+len(mapComment):])))
	if err != nil {
		return nil
	}
	m, err := sourcemap.Parse("", text)
	if err != nil {
		return nil
	}
	return m
}
