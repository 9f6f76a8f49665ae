package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/rules"
	files "github.com/bellglass/bellglass/rules/testdata/vectors"
)

// A File is the vectors of one behavior.
type File struct {
	// Name is the file's name without its folder.
	Name string
	// Policy is the YAML text, which [rules.Parse] accepts.
	Policy []byte
	// Cases has at least one element.
	Cases []Case
}

// A Case is one request and the verdict on it.
type Case struct {
	// Line is the case's line in the file, from 1.
	Line   int
	Method string
	// Type is "" for a request for which rules have no word.
	Type   rules.Type
	URL    string
	Action rules.Action
	// Rule is the id of the rule that decides, or "".
	Rule string
	Code rules.Code
}

// Load returns all vector files, sorted by name, or an error that names file and line.
func Load() ([]File, error) { return load(files.FS) }

func load(fsys fs.FS) ([]File, error) {
	names, err := fs.Glob(fsys, "*.txt")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("vectors: there are no vector files")
	}
	var all []File
	for _, name := range names {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		file, err := parse(name, src)
		if err != nil {
			return nil, fmt.Errorf("vectors: %w", err)
		}
		all = append(all, file)
	}
	return all, nil
}

func parse(name string, src []byte) (File, error) {
	const separator = "\n---\n"
	policy, text, ok := bytes.Cut(src, []byte(separator))
	if !ok {
		return File{}, fmt.Errorf("%s: no line --- between policy and cases", name)
	}
	file := File{Name: name, Policy: policy}
	first := bytes.Count(policy, []byte("\n")) + 3
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		c, err := parseCase(line)
		if err != nil {
			return File{}, fmt.Errorf("%s:%d: %w", name, first+i, err)
		}
		c.Line = first + i
		file.Cases = append(file.Cases, c)
	}
	if len(file.Cases) == 0 {
		return File{}, fmt.Errorf("%s: no cases", name)
	}
	return file, nil
}

func parseCase(line string) (Case, error) {
	var c Case
	request, grounds, ok := cutLast(line, " # ")
	if !ok {
		return c, errors.New("no grounds: the line must end in # rule ID or # CODE")
	}
	words := strings.SplitN(strings.TrimSpace(request), " ", 4)
	if len(words) < 4 {
		return c, errors.New("a case has action, method, type and URL")
	}
	if err := c.Action.UnmarshalText([]byte(words[0])); err != nil {
		return c, err
	}
	if c.Method = words[1]; c.Method == "" {
		return c, errors.New("no method")
	}
	if c.Type = rules.Type(words[2]); words[2] == "other" {
		c.Type = ""
	} else if !slices.Contains(rules.Types, c.Type) {
		return c, fmt.Errorf("unknown type %q", words[2])
	}
	var err error
	if c.URL, err = expand(words[3]); err != nil {
		return c, err
	}
	grounds = strings.TrimSpace(grounds)
	if id, ok := strings.CutPrefix(grounds, "rule "); ok {
		c.Code, c.Rule = rules.CodeRule, id
	} else if c.Code = rules.Code(grounds); !slices.Contains(rules.Codes, c.Code) {
		return c, fmt.Errorf("unknown grounds %q", grounds)
	}
	if c.Action == rules.Allow && c.Code != rules.CodeRule && c.Code != rules.CodeAudit {
		return c, errors.New("only a rule can allow, and an audit")
	}
	return c, nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// maxRepeat keeps a typo in a vector from filling the memory.
const maxRepeat = 1 << 20

// expand replaces {repeat:N:TEXT} by the repeated text.
func expand(url string) (string, error) {
	const begin, end = "{repeat:", "}"
	before, rest, ok := strings.Cut(url, begin)
	if !ok {
		return url, nil
	}
	macro, after, closed := strings.Cut(rest, end)
	number, text, _ := strings.Cut(macro, ":")
	n, err := strconv.Atoi(number)
	if !closed || text == "" || err != nil || n < 1 || n > maxRepeat {
		return "", fmt.Errorf("%q is no {repeat:N:TEXT}", begin+macro)
	}
	after, err = expand(after)
	return before + strings.Repeat(text, n) + after, err
}
