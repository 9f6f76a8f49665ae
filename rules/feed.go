package rules

import (
	"context"
	"errors"
	"io"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// A feed hands a file to the YAML library, a few hundred bytes at a time, and stops when
// nobody wants the policy any more, or when a pair of brackets or braces holds too much.
//
// Only the library knows which brackets are quoted. It says when it is outside of all:
// at the beginning of an outermost pair, and where an indentation grows. So a list of
// texts without any brackets counts like one in brackets.
type feed struct {
	*loaderlimits.Plugin
	ctx     context.Context
	src     []byte
	read    int // bytes that have been handed out
	counter entryCounter
	entries int  // in these bytes, since the last place outside of all brackets
	most    int  // of them
	over    bool // there were too many
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

// place is where there were too many entries, within a few hundred bytes.
func (f *feed) place() (line, col int) { return placeOf(f.src[:f.counter.at-1]) }
