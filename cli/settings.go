package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"github.com/bellglass/bellglass/rules"
)

// settingsFile is the flag that names a YAML file with settings: flags of all commands, each
// with its value as on the command line, or with a list of values if it can be repeated. A
// file with anything else is rejected as a whole.
type settingsFile string

// BeforeResolve reads the file, so that kong can resolve the flags that the command line
// lacks.
func (settingsFile) BeforeResolve(k *kong.Kong, c *kong.Context, trace *kong.Path) error {
	name := string(c.FlagValue(trace.Flag).(settingsFile))
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("cannot read the settings: %w", err)
	}
	values, err := readSettings(name, text, settingsOf(k.Model.Node))
	if err != nil {
		return err
	}
	c.AddResolver(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		// The command line overrides the environment, and the environment overrides the
		// file. For kong the environment is only a default, which a resolver would override.
		for _, variable := range flag.Envs {
			if _, set := os.LookupEnv(variable); set {
				return nil, nil
			}
		}
		return values[settingName(flag)], nil
	}))
	return nil
}

// noSetting are the flags that end the program or name the file itself.
var noSetting = []string{"help", "version", "config"}

// settingsOf returns the flags of a command and of its subcommands by their key in the file.
// Several commands can have a flag of the same name.
func settingsOf(n *kong.Node) map[string][]*kong.Flag {
	all := map[string][]*kong.Flag{}
	for _, flag := range n.Flags {
		if !slices.Contains(noSetting, flag.Name) {
			all[settingName(flag)] = append(all[settingName(flag)], flag)
		}
	}
	for _, child := range n.Children {
		for name, flags := range settingsOf(child) {
			all[name] = append(all[name], flags...)
		}
	}
	return all
}

func settingName(flag *kong.Flag) string { return strings.ReplaceAll(flag.Name, "-", "_") }

// readSettings returns the file's values by key, in the form that kong resolves. The error
// lists all mistakes with file, line, and column. It quotes no line of the file, because that
// may have a token.
func readSettings(file string, text []byte, flags map[string][]*kong.Flag) (map[string]any, error) {
	var mistakes []string
	fail := func(line, col int, format string, args ...any) {
		mistakes = append(mistakes, fmt.Sprintf("%s:%d:%d: %s", file, max(line, 1), max(col, 1), fmt.Sprintf(format, args...)))
	}
	var documents []yaml.Node
	if err := yaml.Load(text, &documents, yaml.WithAllDocuments()); err != nil {
		at := &yaml.LoadError{Message: err.Error()}
		errors.As(err, &at)
		fail(at.Mark.Line, at.Mark.Column, "the settings are not YAML: %s", at.Message)
	}
	values := map[string]any{}
	for i, document := range documents {
		switch root := document.Content[0]; {
		case i > 0:
			fail(document.Line, document.Column, "a second YAML document; delete the line with --- or ...")
		case root.Kind == yaml.MappingNode:
			for pair := range slices.Chunk(root.Content, 2) {
				key, value := pair[0], pair[1]
				if _, again := values[key.Value]; again {
					fail(key.Line, key.Column, "the key %.80q stands twice; delete one of the two", key.Value)
				} else if all, known := flags[key.Value]; !known {
					keys := slices.Sorted(maps.Keys(flags))
					fail(key.Line, key.Column, "unknown key %.80q; the keys are %s%s", key.Value, strings.Join(keys, ", "), guess(key.Value, keys))
				} else if plain, err := setting(value, all); err != nil {
					fail(value.Line, value.Column, "%s: %v", key.Value, err)
				} else {
					values[key.Value] = plain
				}
			}
		case root.Kind != yaml.ScalarNode || root.Tag != "!!null": // an empty document has no settings
			fail(root.Line, root.Column, "the settings are no mapping; write each as KEY: VALUE")
		}
	}
	if mistakes != nil {
		return nil, fmt.Errorf("the settings are rejected:\n%s", printable(strings.Join(mistakes, "\n")))
	}
	return values, nil
}

// setting returns a value of the file in the form that kong resolves: text or a list of texts.
// The value must be valid for every command's flag of that name.
func setting(node *yaml.Node, flags []*kong.Flag) (value any, err error) {
	elements, list := []*yaml.Node{node}, node.Kind == yaml.SequenceNode
	if list {
		elements = node.Content
	}
	texts := []any{}
	for _, e := range elements {
		if e.Kind != yaml.ScalarNode || e.Tag == "!!null" || e.Style&yaml.TaggedStyle != 0 {
			return nil, errors.New("write text, or a list of texts if the flag can be repeated")
		}
		texts = append(texts, e.Value)
	}
	value = texts
	if !list {
		value = texts[0]
	}
	for _, flag := range flags {
		if err := takes(flag, value); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// takes reports whether a value is valid for a flag, without setting it.
func takes(flag *kong.Flag, value any) error {
	text, single := value.(string)
	switch {
	case !single && !flag.IsSlice():
		return errors.New("write one value, not a list")
	case flag.Enum != "" && !slices.Contains(flag.EnumSlice(), text):
		return fmt.Errorf("unknown word %.80q; the words are %s%s", text, strings.Join(flag.EnumSlice(), ", "), guess(text, flag.EnumSlice()))
	}
	target := reflect.New(flag.Target.Type()).Elem()
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target); err != nil {
		return fmt.Errorf("%w; write it as --%s takes it", err, flag.Name)
	}
	return nil
}

// guess returns the end of a message: the word that was probably meant, or "".
func guess(word string, words []string) string {
	if hint := rules.Guess(word, words); hint != "" {
		return "; " + hint
	}
	return ""
}
