package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxFile is the largest policy file, in bytes: room for 100,000 rules.
const maxFile = 8 << 20

// minimal is the policy that the hint about an empty file shows.
const minimal = "version: 1\ndefault: block\nrules: []"

// A parser reads one file.
type parser struct {
	*loader
	file  string
	layer int // its index in Policy.Layers
	// What this file alone says: how script may run, and which containment it demands if that
	// is more than csp. The policy combines the files.
	runs       []Script
	runsAt     Pos
	demanded   Containment
	demandedAt Pos
	lines      []string
	marks      map[int][]int // see marked
}

// parse reads the file into the loader's policy and returns its values by key.
func (p *parser) parse(src []byte) map[string]*yaml.Node {
	if len(src) > maxFile {
		p.lines = []string{""}
		p.report(1, 1, "split the policy, or use braces and *. instead of long lists", "the file has %d bytes; %d are allowed", len(src), maxFile)
		return nil
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	p.lines = splitLines(string(bytes.ToValidUTF8(src, []byte("\ufffd"))))
	if !p.checkCharacters(src) || !p.checkSize(src) {
		return nil
	}
	root := p.load(src, maxFlowEntries)
	if root == nil || !p.checkTricks(root) {
		return nil
	}
	return p.top(root)
}

// report adds a mistake. A position outside the file moves to the nearest one inside, though
// no caller should pass one.
func (p *parser) report(line, col int, hint, format string, args ...any) {
	if p.mistakes++; p.mistakes > maxErrors+1 {
		return
	}
	if p.mistakes == maxErrors+1 {
		hint, format, args = "correct some of these first", "more than %d mistakes; the rest is not shown", []any{maxErrors}
	}
	line = min(max(line, 1), len(p.lines))
	col = min(max(col, 1), p.columns(line)+1)
	p.errs = append(p.errs, &Error{File: p.file, Line: line, Col: col, Msg: fmt.Sprintf(format, args...), Hint: hint, Source: p.lines[line-1]})
}

// markEvery is how many characters of a line are counted at most to find one of its columns.
const markEvery = 256

// marked returns the byte offsets of every markEvery-th character of a line. A whole file can
// be one line with a mistake in each of its words. Then the line must not be counted from its
// beginning for each mistake.
func (p *parser) marked(line int) []int {
	text := p.lines[line-1]
	if len(text) <= markEvery {
		return []int{0}
	}
	marks := p.marks[line]
	if marks == nil {
		count := 0
		for at := range text {
			if count%markEvery == 0 {
				marks = append(marks, at)
			}
			count++
		}
		if p.marks == nil {
			p.marks = map[int][]int{}
		}
		p.marks[line] = marks
	}
	return marks
}

// columns returns how many characters a line has.
func (p *parser) columns(line int) int {
	marks := p.marked(line)
	last := len(marks) - 1
	return last*markEvery + utf8.RuneCountInString(p.lines[line-1][marks[last]:])
}

// from returns the text of a line, beginning at a column.
func (p *parser) from(line, col int) string {
	marks := p.marked(line)
	mark := min((col-1)/markEvery, len(marks)-1)
	text := p.lines[line-1][marks[mark]:]
	for range col - 1 - mark*markEvery {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

// splitLines splits at the line breaks of YAML: LF, CRLF, and CR. checkCharacters rejects the
// additional line breaks of YAML 1.1.
func splitLines(text string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
}

// checkCharacters rejects invalid UTF-8 and characters that an editor does not show. A policy
// must mean what a reader sees.
func (p *parser) checkCharacters(src []byte) bool {
	before := p.mistakes
	line, col := 1, 1
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			p.report(line, col, "save the file as UTF-8", "the byte 0x%02X is not valid UTF-8", src[at])
			return false
		case r == '\n' || r == '\r' && !bytes.HasPrefix(src[at:], []byte("\r\n")):
			line, col = line+1, 0
		case r == '\t' || r == '\r':
		case invisible(r):
			p.report(line, col, "delete it", "the character U+%04X, which is not visible", r)
		}
		at, col = at+size, col+1
	}
	return p.mistakes == before
}

// invisible reports whether editors do not show the character. It accepts the two joiners,
// which some scripts and emoji need.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
		r == '\ufffe' || r == '\uffff'
}

// load reads the file's only YAML document and returns its top node. most is the largest
// number of entries in one pair of brackets or braces.
func (p *parser) load(src []byte, most int) *yaml.Node {
	feed := newFeed(p.ctx, src, most)
	loader, err := yaml.NewLoader(feed, yaml.WithPlugin(feed))
	if err != nil {
		p.yamlError(err)
		return nil
	}
	var first, second yaml.Node
	err = loader.Load(&first)
	if err == nil && (len(first.Content) == 0 || first.Content[0].Kind == yaml.ScalarNode && first.Content[0].Value == "") || errors.Is(err, io.EOF) {
		p.report(1, 1, "the smallest policy is\n"+minimal, "the file is empty")
		return nil
	}
	if err == nil {
		err = loader.Load(&second)
	}
	switch {
	case errors.Is(err, io.EOF):
		return first.Content[0]
	case p.over():
	case feed.over:
		line, col := feed.place()
		p.report(line, col, "write each key and each element on a line of its own, without brackets and braces, and several rules", "more than %d keys and elements of lists up to here in one list, or in one pair of brackets or braces", most)
	case err != nil:
		p.yamlError(err)
	default:
		p.report(second.Line, second.Column, "a policy is exactly one document; delete the line with --- or ...", "a second YAML document")
	}
	return nil
}

func (p *parser) yamlError(err error) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		p.report(1, 1, "", "the file is not YAML: %v", err)
		return
	}
	at, context := load.Mark, load.ContextMark
	begun := context.Line > 0 && (context.Line != at.Line || context.Column != at.Column)
	hint := p.yamlHint(load)
	switch {
	case begun && p.ends(at.Line, at.Column):
		at, hint = context, "what begins here does not end"
	case p.ends(at.Line, at.Column) && hint == "":
		hint = "a [, a { or a quote further up is not closed"
	case begun && strings.HasSuffix(load.Message, "expected ':'"):
		at, hint = context, "a key has a colon and a space after it"
	case begun && hint == "":
		hint = fmt.Sprintf("the mistake may be earlier: this came %s, begun at line %d, column %d", load.ContextMsg, context.Line, context.Column)
	}
	p.report(at.Line, at.Column, hint, "the file is not YAML: %s", cut(load.Message))
}

// ends reports whether only white space follows a position.
func (p *parser) ends(line, col int) bool {
	if line < 1 || line > len(p.lines) {
		return true
	}
	return strings.TrimSpace(p.from(line, max(col, 1))+strings.Join(p.lines[line:], "")) == ""
}

// yamlHint returns a hint about what the author most likely meant by text that is not YAML, or
// "".
func (p *parser) yamlHint(load *yaml.LoadError) string {
	at := load.Mark
	if at.Line < 1 || at.Line > len(p.lines) {
		return ""
	}
	line, says := p.lines[at.Line-1], load.Message
	rest := p.from(at.Line, max(at.Column, 1))
	before := strings.TrimSuffix(line, rest)
	has := func(part string) bool { return strings.Contains(says, part) }
	switch {
	case has("a tab") || strings.Contains(line[:len(line)-len(strings.TrimLeft(line, " \t"))], "\t"):
		return "indent with spaces; YAML allows no tabs there"
	case has("unknown anchor"):
		return "quote a text that begins with *"
	case has("cannot start any token") || has("node content") && rest != "":
		return fmt.Sprintf("quote a text that begins with %s", rest[:min(1, len(rest))])
	case has("mapping values are not allowed"):
		return "quote a text with a colon and a space in it; keys of one mapping begin in the same column"
	case has("escape character") || has("hexadecimal"):
		return "in double quotes a backslash begins an escape; write single quotes"
	case has("expected ','") && at.Line == load.ContextMark.Line && strings.ContainsAny(rest[:min(1, len(rest))], "{[]}"):
		return "between [ and ], or { and }, a pattern with braces, brackets or commas must be quoted"
	case has("expected key") && strings.ContainsAny(before[max(0, len(before)-1):], `]}'"`):
		return "quote all of the text; nothing can stand after what closes it"
	case has("expected key") || has("expected '-'"):
		return "keys of one mapping begin in the same column, and so do the hyphens of one list"
	}
	return ""
}

// checkTricks rejects anchors, aliases, and tags, because with them a file can mean something
// else than it shows.
func (p *parser) checkTricks(n *yaml.Node) bool {
	before := p.mistakes
	switch {
	case n.Kind == yaml.AliasNode:
		p.report(n.Line, n.Column, "write the value out", "the alias *%s; a policy has no aliases", cut(n.Value))
	case n.Anchor != "":
		p.report(n.Line, n.Column, "delete it and write the value out where it is needed", "the anchor &%s; a policy has no anchors", cut(n.Anchor))
	case n.Style&yaml.TaggedStyle != 0:
		p.report(n.Line, n.Column, "delete the tag; quote the value if it must be text", "the tag %s; a policy has no tags", cut(n.Tag))
	}
	for _, child := range n.Content {
		p.checkTricks(child)
	}
	return p.mistakes == before
}
