package mcpapps

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// The names of generated files, as verdicts show them.
const (
	declaredFile = "_meta.ui.csp"
	boundFile    = "sandbox-resource-ready"
)

// files holds the policy files besides the declaration itself: a ceiling for each
// bound, and the operator's file. All are named as if they were in the folder of the
// operator's file.
type files struct {
	operator  string
	scripts   string // the value of the key scripts
	open      func(string) ([]byte, error)
	generated map[string]string
	includes  []string
}

func newFiles(options Options, scripts string, bounds []CSP) *files {
	f := &files{operator: options.Rules, scripts: scripts, open: options.Open, generated: map[string]string{}}
	for i, bound := range bounds {
		name := fmt.Sprintf("%s-%d", boundFile, i+1)
		entries, _ := bound.read() // a bound does not allow what it cannot express
		f.generated[f.beside(name)] = "ceiling: true\n" + f.rulesOf(entries, name+"-")
		f.includes = append(f.includes, name)
	}
	if f.operator != "" {
		f.includes = append(f.includes, path.Base(f.operator))
	}
	return f
}

func (f *files) beside(name string) string { return path.Join(path.Dir(f.operator), name) }

// load returns the policy of the entries within all files.
func (f *files) load(entries []entry) (*rules.Policy, error) {
	// The browser alone enforces a declaration, unless the operator's file bounds it
	// further.
	text := "worker: preferred\n" + f.rulesOf(entries, "")
	if len(f.includes) > 0 {
		text = "include: [" + quoted(f.includes) + "]\n" + text
	}
	main := f.beside(declaredFile)
	return rules.Load(main, func(name string) ([]byte, error) {
		generated, found := f.generated[name]
		switch {
		case name == main:
			return []byte(text), nil
		case found:
			return []byte(generated), nil
		case f.open == nil:
			return nil, fs.ErrNotExist
		}
		return f.open(name)
	})
}

// checkCeiling rejects an operator's file that would give apps what they have not
// declared.
func (f *files) checkCeiling(policy *rules.Policy) error {
	for _, layer := range policy.Layers {
		if layer.File == declaredFile || layer.File == f.beside(declaredFile) || layer.Ceiling {
			continue
		}
		return fmt.Errorf("mcpapps: %s can give apps what they have not declared: add \"ceiling: true\" to it", layer.File)
	}
	return nil
}

// rulesOf writes entries in the rules language, one rule for each list. The prefix
// keeps the ids of several files apart.
func (f *files) rulesOf(entries []entry, prefix string) string {
	var list strings.Builder
	for first, e := range entries {
		if len(e.types()) == 0 || slices.ContainsFunc(entries[:first], e.sharesRule) {
			continue
		}
		var patterns []string
		for _, other := range entries[first:] {
			if e.sharesRule(other) {
				patterns = append(patterns, other.patterns()...)
			}
		}
		types := strings.ReplaceAll(strings.Trim(fmt.Sprint(e.types()), "[]"), " ", ", ")
		fmt.Fprintf(&list, "  - {id: %q, types: [%s], allow: [%s]}\n", prefix+e.rule(), types, quoted(patterns))
	}
	if list.Len() == 0 {
		list.WriteString("  []\n")
	}
	return "version: 1\nscripts: [" + f.scripts + "]\nrules:\n" + list.String()
}

// quoted writes texts as the elements of a YAML sequence. All of them are printable
// ASCII without quotes and backslashes, except the name of the operator's file.
func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = fmt.Sprintf("%q", text)
	}
	return strings.Join(all, ", ")
}
