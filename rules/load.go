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

// maxLayers is the largest number of files in a policy.
const maxLayers = 16

// Parse reads a policy from one text, which cannot include files. The name appears in errors
// and verdicts. If the error is not nil, there is no policy. The error is [Errors]: all
// mistakes in the order of the file.
func Parse(name string, src []byte) (*Policy, error) {
	return load(context.Background(), name, src, nil)
}

// ParseContext is [Parse] with a context, because a policy of the largest size takes seconds.
// When ctx ends, ParseContext returns soon, and its error wraps that of ctx.
func ParseContext(ctx context.Context, name string, src []byte) (*Policy, error) {
	return load(ctx, name, src, nil)
}

// Load reads a policy from a file and the files that it includes. open returns a file's
// content. Names have slashes, and the name of an included file is relative to the folder of
// the file that includes it. The error is [Errors], all mistakes of all files. If the first
// file cannot be read, the error wraps that of open.
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
	ids    map[string]string // of the rules of all layers, with their positions
	modeAt Pos               // position of the key mode
	// workerPreferred is the position of worker: preferred in the policy's own file.
	// workerRequired is set if any file of the policy says worker: required.
	workerPreferred Pos
	workerRequired  bool
	// targets counts the targets that patterns expand to, even patterns with a mistake. Above
	// maxTargets, no further pattern is expanded.
	targets int
	entries int // in all files read so far
	errs    Errors
	// mistakes also counts the mistakes beyond maxErrors, which errs does not contain.
	mistakes int
}

// maxTargets is the largest number of alternatives that all patterns of a policy may make
// together. A pattern without braces counts as one. Each alternative takes about 1 KB of
// memory while the policy is compiled.
const maxTargets = 200_000

// maxErrors is the largest number of mistakes that are kept. A file of the largest size has
// room for millions, and each mistake takes more memory than its text in the file.
const maxErrors = 10_000

// over reports whether the context has ended, or there are more mistakes than are reported.
// Loops over rules or tests then end.
func (l *loader) over() bool { return l.ctx.Err() != nil || l.mistakes > maxErrors }

// at reports a mistake at a position of a layer.
func (l *loader) at(layer int, pos Pos, hint, format string, args ...any) {
	l.layers[layer].report(pos.Line, pos.Col, hint, format, args...)
}

// read parses a file and the files that it includes. from lists the chain of files that
// include it.
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
		return // included already from another file; once is enough
	case len(l.layers) == maxLayers:
		p.fail(n, "put several of them into one", "the policy has more than %d files", maxLayers)
		return
	}
	src, err := l.open(name)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err // the message already contains the path
		}
		p.fail(n, "the path is relative to "+p.file, "cannot read %s: %v", cut(name), err)
		return
	}
	l.read(name, src, from)
}
