package rules

import (
	"context"
	"errors"
	"io"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// A feed gives a file to the YAML library, a few hundred bytes at a time. It stops when the
// context ends, or when a pair of brackets or braces contains too many entries.
//
// Only the library knows which brackets are quoted. It calls CheckDepth outside of all
// brackets: at the beginning of an outermost pair, and where the indentation grows. So a list
// of texts without brackets counts like a list in brackets.
type feed struct {
	*loaderlimits.Plugin
	ctx     context.Context
	src     []byte
	read    int // bytes already returned by Read
	counter entryCounter
	entries int  // in these bytes, since the last position outside of all brackets
	most    int  // largest legal value of entries
	over    bool // entries exceeded most
}

var errTooManyEntries = errors.New("too many entries in one pair of brackets")

func newFeed(ctx context.Context, src []byte, most int) *feed {
	return &feed{Plugin: loaderlimits.New(), ctx: ctx, src: src, counter: entryCounter{src: src, free: usualMarks}, most: most}
}

// Read implements [io.Reader].
func (f *feed) Read(b []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n := copy(b, f.src[f.read:])
	if n == 0 {
		return 0, io.EOF
	}
	f.read += n
	for f.counter.next(f.read) {
		if f.entries++; f.entries > f.most {
			f.over = true
			return 0, errTooManyEntries
		}
	}
	return n, nil
}

// CheckDepth implements [yaml.LoaderLimitsPlugin].
func (f *feed) CheckDepth(depth int, c *yaml.DepthContext) error {
	if c.Kind == yaml.DepthKindBlock || depth == 1 {
		f.entries = 0
	}
	return f.Plugin.CheckDepth(depth, c)
}

// place returns where there were too many entries, within a few hundred bytes.
func (f *feed) place() (line, col int) { return placeOf(f.src[:f.counter.at-1]) }
