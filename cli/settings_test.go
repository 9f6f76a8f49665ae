package cli

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// knownKeys follows an unknown key.
const knownKeys = "the keys are addr, allow_known, allow_remote, allow_shared_domain, args, browser, btcp, btcp_rules, ca, dir, embedder, entry, fail_on_block, fallback, fresh, grant, ignore, inner_host, json, log_format, log_level, max_bytes, max_connections, max_execution_time, max_executions, max_file_size, max_files, max_idle, max_log_bytes, max_sandboxes, max_store_bytes, max_streams, mcp, mcp_addr, mcp_key, mcp_profile, mcp_rules, metrics_addr, no_live, no_packages, no_selftest, offline, only, open, outer_host, package_cache, public_url, registry, rules, starter, timeout, tls_cert, tls_key, token, type"

// A settings file is either valid as a whole, or rejected with every mistake and its place,
// and then nothing is done.
func TestSettingsFile(t *testing.T) {
	const notYAML = "the settings are not YAML: "
	const notText = "write text, or a list of texts if the flag can be repeated"
	for _, row := range []struct {
		name, text string
		mistakes   []string // none if it is valid
	}{
		{"an empty file", "", nil},
		{"blanks", " \n \r\n", nil},
		{"a comment alone", "# addr: 127.0.0.1:0\n", nil},
		{"no key", "{}", nil},
		{"of this command and of others", "log_level: debug\naddr: 127.0.0.1:0\ntimeout: 5s\nonly: a.*\n", nil},
		{"list", "embedder: [https://a.example, https://b.example]\ntoken: []\n", nil},
		{"text as the command line takes it", "max_streams: 8\nopen: yes\nfallback: '/404.html'\nembedder: https://a.example\n", nil},
		{"JSON", `{"log_level": "debug", "open": true, "max_streams": 8, "embedder": ["https://a.example"]}`, nil},

		{"unknown key", "color: red", []string{`1:1: unknown key "color"; ` + knownKeys}},
		{"misspelled key", "open: true\nadr: 127.0.0.1:0\n", []string{`2:1: unknown key "adr"; ` + knownKeys + "; did you mean addr?"}},
		{"key as a flag", `inner-host: "{id}.a.example"`, []string{`1:1: unknown key "inner-host"; ` + knownKeys + "; did you mean inner_host?"}},
		{"key in another case", "Addr: 127.0.0.1:0", []string{`1:1: unknown key "Addr"; ` + knownKeys + "; did you mean addr?"}},
		{"key of a flag that is no setting", "config: other.yaml", []string{`1:1: unknown key "config"; ` + knownKeys}},
		{"keys by command", "serve:\n  addr: 127.0.0.1:0\n", []string{`1:1: unknown key "serve"; ` + knownKeys}},
		{"columns are characters", `{fallback: /ä.html, fällback: /a.html}`, []string{`1:21: unknown key "fällback"; ` + knownKeys + "; did you mean fallback?"}},
		{"duplicate key", "json: true\njson: true\n", []string{`2:1: the key "json" stands twice; delete one of the two`}},
		{"duplicate key, spelled otherwise", "json: true\n\"\\u006ason\": false\n", []string{`2:1: the key "json" stands twice; delete one of the two`}},
		{"merge", "<<: {json: true}", []string{`1:1: unknown key "<<"; ` + knownKeys}},
		{"list as a key", "? [json]\n: true\n", []string{`1:3: unknown key ""; ` + knownKeys}},

		{"text for a flag", "json: maybe", []string{`1:7: json: bool value must be true, 1, yes, false, 0 or no but got "maybe"; write it as --json takes it`}},
		{"number for a time", "timeout: 5", []string{`1:10: timeout: expected duration but got "5": time: missing unit in duration "5"; write it as --timeout takes it`}},
		{"mapping", "rules: {check: true}", []string{"1:8: rules: " + notText}},
		{"null", "rules: null", []string{"1:8: rules: " + notText}},
		{"nothing", "rules:\naddr: 127.0.0.1:0\n", []string{"1:7: rules: " + notText}},
		{"alias", "rules: &a b\nentry: *a\n", []string{"2:8: entry: " + notText}},
		{"tag", "rules: !!binary eA==", []string{"1:8: rules: " + notText}},
		{"elements", "embedder: [https://a.example, [b]]", []string{"1:11: embedder: " + notText}},
		{"list for text", "addr: [127.0.0.1:0]", []string{"1:7: addr: write one value, not a list"}},
		{"fraction for a whole number", "max_streams: 1.5", []string{`1:14: max_streams: expected a valid 64 bit int but got "1.5"; write it as --max-streams takes it`}},
		{"word", "log_format: jsn", []string{`1:13: log_format: unknown word "jsn"; the words are text, json; did you mean json?`}},
		{"level", "log_level: loud", []string{`1:12: log_level: slog: level string "loud": unknown name; write it as --log-level takes it`}},
		{"regular expression", "only: (", []string{"1:7: only: error parsing regexp: missing closing ): `(`; write it as --only takes it"}},
		{"several", "adr: 1\ntimeout: 1\n", []string{`1:1: unknown key "adr"; ` + knownKeys + "; did you mean addr?", `2:10: timeout: expected duration but got "1": time: missing unit in duration "1"; write it as --timeout takes it`}},

		{"list as the whole", " []", []string{"1:2: the settings are no mapping; write each as KEY: VALUE"}},
		{"text as the whole", "addr", []string{"1:1: the settings are no mapping; write each as KEY: VALUE"}},
		{"no YAML", "json: true\naddr: 'x\n", []string{"3:1: " + notYAML + "found unexpected end of stream"}},
		{"a tab", "embedder:\n\t- https://a.example\n", []string{"2:1: " + notYAML + "found character that cannot start any token"}},
		{"not UTF-8", "addr: \"\xff\"", []string{"1:1: " + notYAML + "invalid leading UTF-8 octet (value: 255)"}},
		{"more than one", "json: true\n---\njson: false\n", []string{"2:1: a second YAML document; delete the line with --- or ..."}},
		{"a terminal's escape", `"\e[2J": 1`, []string{`1:1: unknown key "\x1b[2J"; ` + knownKeys}},
	} {
		t.Run(row.name, func(t *testing.T) {
			noSettings(t)
			t.Chdir(t.TempDir())
			write(t, "settings.yaml", row.text)
			status, out, stderr := run("rules", "starter", "--config", "settings.yaml")
			if row.mistakes == nil {
				if status != exitOK || stderr != "" || !strings.Contains(out, "block-all") {
					t.Errorf("status %d, standard output %q, standard error\n%s", status, out, stderr)
				}
				return
			}
			want := "bellglass: the settings are rejected:\nsettings.yaml:" + strings.Join(row.mistakes, "\nsettings.yaml:") + "\nRun bellglass --help for the commands and flags.\n"
			if status != exitUsage || out != "" || stderr != want {
				t.Errorf("status %d, standard output %q, standard error\n%s\nwant\n%s", status, out, stderr, want)
			}
		})
	}
}

// The command line overrides the environment, and the environment overrides the file.
func TestOrderOfSettings(t *testing.T) {
	noSettings(t)
	t.Chdir(t.TempDir())
	write(t, "settings.yaml", "json: true\n")
	write(t, "policy.yaml", "version: 1\n")
	check := func(want bool, args ...string) {
		t.Helper()
		status, out, stderr := run(append([]string{"rules", "check", "policy.yaml"}, args...)...)
		if status != exitOK || strings.HasPrefix(out, "{") != want {
			t.Errorf("%q: status %d, want JSON %t:\n%s%s", args, status, want, out, stderr)
		}
	}
	check(false)
	check(true, "--config", "settings.yaml")
	t.Setenv("BELLGLASS_JSON", "false")
	check(false, "--config", "settings.yaml")
	check(true, "--config", "settings.yaml", "--json")
}

// The file can set each flag, to valid values only.
func TestEachFlagIsASetting(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	all := settingsOf(parser.Model.Node)
	for name, flags := range all {
		var right, wrong any = "x", []string{"x"}
		switch target := flags[0].Target.Interface().(type) {
		case string:
			if flags[0].Enum != "" {
				right = flags[0].EnumSlice()[0]
			}
		case []string:
			right, wrong = []string{"x", "y,z"}, []any{[]string{"x"}}
		case bool:
			right, wrong = true, "x"
		case int, int64:
			right, wrong = 7, "x"
		case time.Duration:
			right, wrong = "7s", 7
		case size:
			right, wrong = "1.5 GB", "x"
		case slog.Level:
			right, wrong = "warn", "x"
		case *regexp.Regexp:
			wrong = "("
		default:
			t.Errorf("%s is a %T, which this test does not know", name, target)
		}
		for _, row := range []struct {
			value any
			taken bool
		}{{right, true}, {wrong, false}, {nil, false}, {map[string]any{}, false}} {
			text, err := json.Marshal(map[string]any{name: row.value})
			if err != nil {
				t.Fatal(err)
			}
			if values, err := readSettings("settings.yaml", text, all); (err == nil) != row.taken || (values[name] != nil) != row.taken {
				t.Errorf("%s is read as %v, %v", text, values, err)
			}
		}
	}
}
