package cli

import (
	"strings"
	"testing"
)

// A file that is ignored is none of the sandbox's: what needs it says so.
func TestIgnore(t *testing.T) {
	for name, row := range map[string]struct {
		args     []string
		env      string
		settings string
		ignore   string
		says     string
	}{
		"a flag":                         {args: []string{"--ignore", "main.*"}},
		"one of several flags":           {args: []string{"--ignore", "x", "--ignore", "/main.mjs", "--ignore", "y"}},
		"a comma is of the pattern":      {args: []string{"--ignore", "a,!", "--ignore", "main.mjs"}},
		"the environment":                {env: "main.mjs"},
		"lines in the environment":       {env: "x\nmain.mjs\n"},
		"the settings":                   {settings: `{"ignore": ["x", "main.mjs"]}`},
		"the folder's file":              {ignore: "main.mjs\n"},
		"the flag after the file":        {args: []string{"--ignore", "main.mjs"}, ignore: "!main.mjs"},
		"a pattern that is wrong":        {args: []string{"--ignore", "[z-a]"}, says: "the patterns to ignore, line 1: the pattern \"[z-a]\" is wrong"},
		"one that is wrong in the file":  {ignore: "x\n[z-a]\n", says: ".bellglassignore, line 2: the pattern \"[z-a]\" is wrong"},
		"the second of the flags, wrong": {args: []string{"--ignore", "x", "--ignore", "/"}, says: "line 2: the pattern \"/\" is wrong: it names nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			noSettings(t)
			t.Chdir(t.TempDir())
			write(t, "main.mjs", "1")
			args := row.args
			if row.env != "" {
				t.Setenv("BELLGLASS_IGNORE", row.env)
			}
			if row.settings != "" {
				write(t, "settings.json", row.settings)
				args = append(args, "--config", "settings.json")
			}
			if row.ignore != "" {
				write(t, ".bellglassignore", row.ignore)
			}
			for _, command := range []struct {
				args []string
				says string
			}{
				{[]string{"serve", ".", "--addr", "127.0.0.1:0", "--fallback", "/main.mjs"}, "the fallback /main.mjs is not one of the files"},
				{[]string{"run", ".", "--browser", "no-such-browser"}, "has neither main.mjs nor main.js"},
			} {
				if row.says != "" {
					command.says = row.says
				}
				status, _, stderr := run(append(command.args, args...)...)
				if status == exitOK || !strings.Contains(stderr, command.says) {
					t.Errorf("%s: status %d\n%s\nwant %s", command.args[0], status, stderr, command.says)
				}
			}
		})
	}
}
