package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/internal/version"
	"github.com/bellglass/bellglass/vfs"
)

// noSettings clears the settings in this machine's environment.
func noSettings(t *testing.T) {
	t.Helper()
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "BELLGLASS_") {
			t.Setenv(name, "") // so that it is restored afterwards
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func run(args ...string) (status int, out, stderr string) {
	var o, e bytes.Buffer
	status = Main(args, &o, &e)
	return status, o.String(), e.String()
}

func TestHelpAndVersion(t *testing.T) {
	noSettings(t)
	for _, c := range []struct {
		args string
		says []string
	}{
		{"--help", []string{"Usage: bellglass", "serve", "--config", "--log-level", "$BELLGLASS_LOG_LEVEL"}},
		{"serve --help", []string{"Usage: bellglass serve", "--addr", "--rules", "Addresses and TLS:", "Default: 127.0.0.1:3333.", "$BELLGLASS_LOG_LEVEL", "--token", "$BELLGLASS_TOKEN", "/api/v1"}},
		{"add --help", []string{"Usage: bellglass add", "[<package> ...]", "--dir", "--offline", "--registry", "--json", "bellglass-lock.json"}},
		{"rules explain --help", []string{"Usage: bellglass rules explain", "<file> <method> <url>", "--type", "--json"}},
		{"--version", []string{version.Of()}},
		// --help wins even over a wrong flag.
		{"serve --addr nonsense --help", []string{"Usage: bellglass serve"}},
	} {
		status, out, stderr := run(strings.Fields(c.args)...)
		if status != 0 || stderr != "" {
			t.Errorf("%s: status %d, standard error %q", c.args, status, stderr)
		}
		for _, says := range c.says {
			if !strings.Contains(out, says) {
				t.Errorf("%s: no %q in\n%s", c.args, says, out)
			}
		}
	}
	if _, out, _ := run("--version"); out != version.Of()+"\n" || version.Of() == "" {
		t.Errorf("--version prints %q", out)
	}
}

// BELLGLASS_VERSION and BELLGLASS_HELP are not settings. An image may set the former,
// and the server must still start.
func TestVersionAndHelpAreNotOfTheEnvironment(t *testing.T) {
	for _, name := range []string{"BELLGLASS_VERSION", "BELLGLASS_HELP"} {
		for _, value := range []string{"1.2.3", "true"} {
			noSettings(t)
			t.Setenv(name, value)
			status, out, stderr := run("rules", "starter")
			if status != exitOK || !strings.Contains(out, "block-all") {
				t.Errorf("%s=%s: status %d, standard output %.100q, standard error %q", name, value, status, out, stderr)
			}
			if _, help, _ := run("serve", "--help"); strings.Contains(help, name) {
				t.Errorf("the help names $%s", name)
			}
		}
	}
}

// A usage error is printed on standard error, and nothing is done.
func TestUsageErrors(t *testing.T) {
	noSettings(t)
	for _, c := range []struct {
		args, says string
	}{
		{"", "serve"},
		{"sevre", "sevre"},
		{"serve --adr 127.0.0.1:0", "--adr"},
		{"--nonsense", "--nonsense"},
		{"serve a b", "b"},
		{"serve --addr", "--addr"},
		{"add --ofline react", "--ofline"},
		{"serve --log-level loud", "loud"},
		{"serve --log-format xml", "text"},
		{"serve --open=perhaps", "perhaps"},
		{"--config " + filepath.Join(t.TempDir(), "none.json") + " serve", "none.json"},
	} {
		status, out, stderr := run(strings.Fields(c.args)...)
		if status != 2 || out != "" {
			t.Errorf("%q: status %d, standard output %q", c.args, status, out)
		}
		if !strings.Contains(stderr, "bellglass: ") || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, "bellglass --help") {
			t.Errorf("%q: standard error is %q, want %q in it", c.args, stderr, c.says)
		}
	}
}

// A command that fails has another status than a usage error, and its message names the
// cause. Each row also has a fallback that no sandbox accepts, so that the command ends
// even if the row's own mistake is overlooked.
func TestProblems(t *testing.T) {
	noSettings(t)
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	write(t, bad, "version: 1\nrules:\n  - alow: https://example.com\n")
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"serve", "--addr", "nonsense"}, []string{`"nonsense"`, "host:port"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--rules", bad}, []string{"bad.yaml:3:5", "hint: ", "allow", "the policy is refused"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--rules", filepath.Join(dir, "none.yaml")}, []string{"none.yaml", "cannot read the policy"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", filepath.Join(dir, "none")}, []string{"none"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--inner-host", "no-id.example"}, []string{"no-id.example", "{id}"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--embedder", "docs.example"}, []string{`"docs.example"`}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--entry", "index.html"}, []string{"index.html", "write /index.html"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--grant", "camera", "--grant", "usb"}, []string{`permission "usb"`, "camera", "microphone"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--grant", "allow-popups"}, []string{`flag "allow-popups"`, "allow-modals"}},
		{[]string{"serve", "--addr", "0.0.0.0:0"}, []string{"not a loopback address", "secret", "--allow-remote"}},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--public-url", "https://glass.example.org", "--outer-host", "outer.example.net", "--inner-host", "{id}.sandbox.example.com", "--embedder", "https://app.example.com"}, []string{"example.com", "cookies", "--allow-shared-domain"}},
		{[]string{"serve", "--addr", ":0"}, []string{"not a loopback address", "--allow-remote"}},
		{[]string{"serve", "--addr", "0.0.0.0:0", "--allow-remote"}, []string{"other machines can reach this server", "/none.html"}},
		{[]string{"serve", "--addr", "127.0.0.1:0"}, []string{"/none.html"}},
	} {
		status, out, stderr := run(append(c.args, "--fallback", "/none.html")...)
		if status != 1 || out != "" {
			t.Errorf("%q: status %d, standard output %q", c.args, status, out)
		}
		for _, says := range append(c.says, "bellglass: ") {
			if !strings.Contains(stderr, says) {
				t.Errorf("%q: no %q in\n%s", c.args, says, stderr)
			}
		}
	}
}

// A file's path begins with /, which people often leave out.
func TestFallbackWithoutItsSlash(t *testing.T) {
	noSettings(t)
	for _, fallback := range []string{"index.html", "./index.html"} {
		if status, _, stderr := run("serve", "--addr", "127.0.0.1:0", "--fallback", fallback); status != 1 || !strings.Contains(stderr, "write /index.html") {
			t.Errorf("status %d, standard error %q", status, stderr)
		}
	}
}

// Each setting comes from a flag, the environment, or a file. All settings here are
// wrong, so that the error tells which one was read. The fallback ends the command if
// none was.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name        string
		environment map[string]string
		file        map[string]any
		args        []string
		says        string
	}{
		{"environment", map[string]string{"BELLGLASS_ADDR": "of-the-environment"}, nil, nil, `"of-the-environment"`},
		{"file", nil, map[string]any{"addr": "of-the-file"}, nil, `"of-the-file"`},
		{"flag before environment", map[string]string{"BELLGLASS_ADDR": "of-the-environment"}, nil, []string{"--addr", "of-the-flag"}, `"of-the-flag"`},
		{"flag before file", nil, map[string]any{"addr": "of-the-file"}, []string{"--addr", "of-the-flag"}, `"of-the-flag"`},
		{"two words, environment", map[string]string{"BELLGLASS_INNER_HOST": "of-the-environment", "BELLGLASS_ADDR": "127.0.0.1:0"}, nil, nil, `"of-the-environment"`},
		{"two words, file", nil, map[string]any{"inner_host": "of-the-file", "addr": "127.0.0.1:0"}, nil, `"of-the-file"`},
		{"token, environment", map[string]string{"BELLGLASS_TOKEN": "x", "BELLGLASS_ADDR": "127.0.0.1:0"}, nil, nil, "API token 1, of 1 bytes"},
		{"tokens, file", nil, map[string]any{"token": []string{"a-token-of-a-file", "xy"}, "addr": "127.0.0.1:0"}, nil, "API token 2, of 2 bytes"},
		{"the file of the environment", map[string]string{"BELLGLASS_CONFIG": "settings.yaml"}, map[string]any{"addr": "of-the-file"}, nil, `"of-the-file"`},
		{"list, file", nil, map[string]any{"embedder": []string{"https://docs.example", "of-the-file"}, "addr": "127.0.0.1:0"}, nil, `"of-the-file"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			noSettings(t)
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			args := append([]string{"serve", "--fallback", "/none.html"}, c.args...)
			if c.file != nil {
				text, err := json.Marshal(c.file)
				if err != nil {
					t.Fatal(err)
				}
				t.Chdir(t.TempDir())
				write(t, "settings.yaml", string(text))
				if c.environment["BELLGLASS_CONFIG"] == "" {
					args = append(args, "--config", "settings.yaml")
				}
			}
			status, out, stderr := run(args...)
			if status != 1 || out != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("status %d, standard output %q, standard error %q; want %s in it", status, out, stderr, c.says)
			}
		})
	}
}

// A folder's own files never decide what the folder may reach.
func TestFolderHasNoPolicyOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "index.html"), "<p>")
	write(t, filepath.Join(dir, "rules.yaml"), "version: 1\nrules: [{allow: https://evil.test}]\n")
	source, err := openSource(dir, "", vfs.NewStore(1<<30), folderFlags{MaxFiles: 10, MaxBytes: 1_000, MaxFileSize: 1_000})
	if err != nil {
		t.Fatal(err)
	}
	defer source.close()
	if source.policy != nil {
		t.Errorf("the folder gets the policy %+v", source.policy)
	}
	if _, ok := source.files.Lookup("/index.html"); !ok {
		t.Error("the folder's file is not there")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
