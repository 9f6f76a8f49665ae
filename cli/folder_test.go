package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/vfs"
)

// An ignored file is not in the sandbox, so a command that needs it fails and names it.
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
				write(t, "settings.yaml", row.settings)
				args = append(args, "--config", "settings.yaml")
			}
			if row.ignore != "" {
				write(t, ".bellglassignore", row.ignore)
			}
			for _, command := range []struct {
				args []string
				says string
			}{
				{[]string{"serve", ".", "--addr", "127.0.0.1:0", "--fallback", "/main.mjs"}, "the fallback /main.mjs is not one of the files"},
				{[]string{"run", ".", "--browser", "no-such-browser"}, "has no module named main"},
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

// The error about a limit names flags that help: with them, the folder is accepted.
func TestLimitsOfFolders(t *testing.T) {
	noSettings(t)
	t.Chdir(t.TempDir())
	write := func(name string, size int) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, strings.Repeat("x", size))
	}
	write("site/index.html", 10)
	write("site/film [1].mp4", 3_000)
	for i := range 200 {
		write(fmt.Sprintf("site/app/node_modules/p%d.js", i), 10)
	}
	for name, row := range map[string]struct{ flags, says []string }{
		"files": {
			[]string{"--max-files=100"},
			[]string{"it has 202 files in 3 folders, 4.9 KiB together, the largest 2.9 KiB", "/app/node_modules/ (200 files, 2.0 KiB)", "--ignore /app/node_modules/; or", "the folder is over --max-files 100: ", "--max-files 210"},
		},
		"bytes": {
			[]string{"--max-bytes=3 kB"},
			[]string{"/film [1].mp4 (2.9 KiB), /app/node_modules/ (200 files, 2.0 KiB)", `--ignore '/film \[1].mp4' --ignore /app/node_modules/; or`, "over --max-bytes 2.9KiB: ", "--max-bytes 5100B"},
		},
		"a file": {
			[]string{"--max-file-size=2999"},
			[]string{"/film [1].mp4 (2.9 KiB)", `--ignore '/film \[1].mp4'; or`, "over --max-file-size 2.9KiB: ", "--max-file-size 3100B"},
		},
		"all at once": {
			[]string{"--max-file-size=2KiB", "--max-files=9", "--max-bytes=2KiB"},
			[]string{"--max-files 210 --max-bytes 5100B --max-file-size 3100B"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, stderr := run(append([]string{"serve", "site", "--addr", "127.0.0.1:0"}, row.flags...)...)
			for _, says := range row.says {
				if status != exitProblem || !strings.Contains(stderr, says) {
					t.Errorf("status %d, standard error does not say %q:\n%s", status, says, stderr)
				}
			}
			advice := regexp.MustCompile(`with (--ignore .*); or allow it, with (--max.*)\n`).FindStringSubmatch(stderr)
			if advice == nil {
				t.Fatalf("no advice in\n%s", stderr)
			}
			if name == "all at once" {
				advice[1] = advice[2] // leaving out enough for one limit is not enough for the others
			}
			for _, flags := range advice[1:] {
				// The last of two flags counts. The fallback ends a command that would
				// otherwise run forever.
				words := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(flags, -1)
				for i := range words {
					words[i] = strings.Trim(words[i], "'")
				}
				status, _, stderr := run(slices.Concat([]string{"serve", "site", "--addr", "127.0.0.1:0", "--fallback", "/none"}, row.flags, words)...)
				if status != exitProblem || !strings.Contains(stderr, "the fallback /none is not one of the files") {
					t.Errorf("with %q: status %d, %s", words, status, stderr)
				}
			}
		})
	}
	for _, flag := range []string{"--max-files=0", "--max-files=-1", "--max-bytes=0", "--max-bytes=-1GB", "--max-file-size=much", "--max-file-size=9e99"} {
		name, _, _ := strings.Cut(flag, "=")
		if status, _, stderr := run("serve", "site", "--addr", "127.0.0.1:0", flag, "--fallback", "/none"); status == exitOK || !strings.Contains(stderr, name) {
			t.Errorf("%s: status %d, %s", flag, status, stderr)
		}
	}
}

// The printed size is at least the real one, and only slightly larger.
func TestSizeWord(t *testing.T) {
	for n := int64(1); n > 0 && n < 1<<50; n = n*3/2 + 1 {
		var back size
		word := sizeWord(n)
		if err := back.UnmarshalText([]byte(word)); err != nil || int64(back) < n || float64(back) > 1.11*float64(n)+1 {
			t.Errorf("%d is written %s, which is %d (%v)", n, word, back, err)
		}
	}
}

func TestPackagesAreLeftOutOfTheFiles(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		files map[string]string
		out   bool
	}{
		"sources that import":        {map[string]string{"package.json": "{}", "index.html": "<script type=module src=main.js></script>"}, true},
		"no page":                    {map[string]string{"package.json": "{}"}, true},
		"no package.json":            {map[string]string{"index.html": ""}, false},
		"a page that loads one":      {map[string]string{"package.json": "{}", "index.html": "", "demo.html": "<script src=./node_modules/a/a.js></script>"}, false},
		"a file that wants them":     {map[string]string{"package.json": "{}", vfs.IgnoreFile: "!/node_modules/"}, false},
		"a package that has its own": {map[string]string{"package.json": "{}", "node_modules/a/index.html": "node_modules/"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			row.files["node_modules/a/a.js"] = ""
			for file, text := range row.files {
				at := filepath.Join(dir, filepath.FromSlash(file))
				if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			folder, err := folderFlags{MaxFiles: 10, MaxBytes: 1_000, MaxFileSize: 1_000}.open(dir, vfs.NewStore(1<<20))
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close()
			files, err := folder.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if _, is := files.Lookup("/node_modules/a/a.js"); is == row.out {
				t.Errorf("the package is among the files: %v", is)
			}
		})
	}
}
