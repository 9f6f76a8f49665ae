package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/bellglass/bellglass/rules/rule"
)

// maxLayers is how many files a policy may have.
const maxLayers = 16

// Parse reads a policy that is one text, and has no file to include another by.
// The name stands in errors and verdicts. The error is [Errors], all mistakes in
// the order of the file; there is no policy then.
func Parse(name string, src []byte) (*Policy, error) {
	return load(context.Background(), name, src, nil)
}

// ParseContext is [Parse] for whoever may not wait for it: a policy of the largest
// size takes seconds. When ctx ends it returns soon, and its error wraps that of ctx.
func ParseContext(ctx context.Context, name string, src []byte) (*Policy, error) {
	return load(ctx, name, src, nil)
}

// Load reads a policy from a file and those that it includes. open returns a
// file's content; names have slashes, and that of an included file is relative
// to where the including one lies. The error is [Errors], all mistakes of all
// files; or that of open, if the first file cannot be read.
func Load(name string, open func(name string) ([]byte, error)) (*Policy, error) {
	src, err := open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the policy: %w", err)
	}
	return load(context.Background(), name, src, open)
}

func load(ctx context.Context, name string, src []byte, open func(string) ([]byte, error)) (*Policy, error) {
	l := &loader{ctx: ctx, open: open, policy: &Policy{Policy: rule.Policy{Name: name, Mode: ModeEnforce}, text: string(src)}, ids: map[string]string{}}
	l.read(name, src, nil)
	l.policy.check(l)
	if len(l.errs) == 0 {
		l.policy.compile(l)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reading the policy %s was given up: %w", name, err)
	}
	if len(l.errs) > 0 {
		l.errs.sort(l.policy.Layers)
		return nil, l.errs
	}
	return l.policy, nil
}

// A loader reads the files of one policy and collects their mistakes.
type loader struct {
	ctx    context.Context
	open   func(string) ([]byte, error)
	policy *Policy
	layers []*parser         // as in policy.Layers
	ids    map[string]string // of the rules of all layers, with their places
	modeAt Pos               // of the key mode
	// workerPreferred is the place of worker: preferred in the policy's own file.
	// workerRequired: a file of the policy says worker: required.
	workerPreferred Pos
	workerRequired  bool
	// targets counts what the patterns are expanded to, those with a mistake too. From
	// maxTargets on none is expanded any more.
	targets int
	entries int // of the files that have been read
	errs    Errors
	// mistakes counts those too that are not in errs any more.
	mistakes int
}

// maxTargets caps what the braces of all patterns of a policy make together, where a
// pattern without braces counts as one. Each takes about 1 KB of memory while the
// policy is compiled.
const maxTargets = 200_000

// maxErrors is how many mistakes are kept: a file of the largest size has room
// for millions, and each takes more memory than it has bytes.
const maxErrors = 10_000

// over reports whether nobody waits for the policy any more, or there are more mistakes
// than are told. Whatever is done for each rule or test then ends.
func (l *loader) over() bool { return l.ctx.Err() != nil || l.mistakes > maxErrors }

// at reports a mistake at a place of a layer.
func (l *loader) at(layer int, pos Pos, hint, format string, args ...any) {
	l.layers[layer].report(pos.Line, pos.Col, hint, format, args...)
}

// read parses one file and those that it includes. from are the files that led
// here.
func (l *loader) read(name string, src []byte, from []string) {
	p := &parser{loader: l, file: name, layer: len(l.layers)}
	l.layers = append(l.layers, p)
	l.policy.Layers = append(l.policy.Layers, Layer{File: name})
	values := p.parse(src)
	from = append(slices.Clip(from), name)
	if n := values["include"]; n != nil {
		for _, element := range p.sequence(n, "include", false) {
			if text, ok := p.text(element, "an element of include"); ok {
				l.include(p, element, text, from)
			}
		}
	}
}

func (l *loader) include(p *parser, n *yaml.Node, text string, from []string) {
	name := path.Join(path.Dir(p.file), text)
	called := func(file string) bool { return path.Clean(file) == name }
	switch {
	case l.open == nil:
		p.fail(n, "write the rules into the policy itself", "include in a policy that is no file, so there is nothing that %q is relative to", cut(text))
		return
	case text == "" || path.IsAbs(text) || strings.Contains(text, `\`):
		p.fail(n, "write a path relative to this file, with slashes", "%q is no relative path", cut(text))
		return
	case slices.ContainsFunc(from, called):
		p.fail(n, "delete one of the includes", "the file includes itself: %s", strings.Join(append(from[slices.IndexFunc(from, called):], name), " includes "))
		return
	case slices.ContainsFunc(l.policy.Layers, func(layer Layer) bool { return called(layer.File) }):
		return // by another way, and once is enough
	case len(l.layers) == maxLayers:
		p.fail(n, "put several of them into one", "the policy has more than %d files", maxLayers)
		return
	}
	src, err := l.open(name)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err // the path stands in the message already
		}
		p.fail(n, "the path is relative to "+p.file, "cannot read %s: %v", cut(name), err)
		return
	}
	l.read(name, src, from)
}
