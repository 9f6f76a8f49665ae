package cli

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/bellglass/bellglass/rules"
)

// settingsFile is the flag that names a file with settings: one JSON object with the
// flags of all commands, or nothing. It is wholly valid or refused: what no flag
// takes is never passed over.
type settingsFile string

// BeforeResolve reads the file, before its values become those of the flags that the
// command line does not have.
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
		// What the command line says counts first, then the environment, then the file.
		// To kong the environment is a mere default, and a resolver would go before it.
		for _, variable := range flag.Envs {
			if _, set := os.LookupEnv(variable); set {
				return nil, nil
			}
		}
		return values[settingName(flag)], nil
	}))
	return nil
}

// noSetting are the flags that end a command, or name the file itself.
var noSetting = []string{"help", "version", "config"}

// settingsOf returns the flags of a command and of those below it by the key that
// they have in the file. Several commands can have a flag of one name.
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

// settingForm says what a flag's value is in JSON: by the kinds of package jsontext,
// a character each, and in words.
func settingForm(flag *kong.Flag) (kinds, want, hint string) {
	switch flag.Target.Interface().(type) {
	case bool:
		return "tf", "true or false", "write true or false"
	case int, int64:
		return "0", "a number", "write digits, without quotes"
	case []string:
		return `"[`, "text or a list of texts", `write "…" or ["…", "…"]`
	}
	return `"`, "text", `write "…"`
}

// takes asks a flag whether it takes a value, and does not set it.
func takes(flag *kong.Flag, value any) (hint string, err error) {
	if text, _ := value.(string); flag.Enum != "" && !slices.Contains(flag.EnumSlice(), text) {
		return rules.Guess(text, flag.EnumSlice()), fmt.Errorf("unknown word %.80q; the words are %s", text, strings.Join(flag.EnumSlice(), ", "))
	}
	target := reflect.New(flag.Target.Type()).Elem()
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	return "write it as --" + flag.Name + " takes it", flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target)
}
