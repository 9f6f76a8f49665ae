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

// knownKeys ends the refusal of a key.
const knownKeys = "the keys are addr, allow_known, allow_remote, allow_shared_domain, args, browser, btcp, btcp_rules, ca, embedder, entry, fail_on_block, fallback, fresh, grant, ignore, inner_host, json, log_format, log_level, max_bytes, max_connections, max_file_size, max_files, max_store_bytes, max_streams, mcp, mcp_addr, mcp_key, mcp_profile, mcp_rules, metrics_addr, no_selftest, only, open, outer_host, public_url, rules, timeout, tls_cert, tls_key, token, type"

// A settings file is wholly valid, or refused with all that is wrong and where; then
// nothing is done.
func TestSettingsFile(t *testing.T) {
	const notJSON = "the settings are not JSON: "
	const likeThis = `; write them like {"addr": "127.0.0.1:3333", "open": true}`
	for _, row := range []struct {
		name, text string
		mistakes   []string // none if it is valid
	}{
		{"an empty file", "", nil},
		{"blanks", " \n\t\r\n", nil},
		{"no key", "{}", nil},
		{"of this command and of others", `{"log_level": "debug", "addr": "127.0.0.1:0", "timeout": "5s", "only": "a.*"}`, nil},
		{"list", `{"embedder": ["https://a.example", "https://b.example"], "token": []}`, nil},

		{"unknown key", `{"colour": "red"}`, []string{`1:2: unknown key "colour"; ` + knownKeys}},
		{"misspelt key", "{\n  \"open\": true,\n  \"adr\": \"127.0.0.1:0\"\n}", []string{`3:3: unknown key "adr"; ` + knownKeys + "; did you mean addr?"}},
		{"key as a flag", `{"inner-host": "{id}.a.example"}`, []string{`1:2: unknown key "inner-host"; ` + knownKeys + "; did you mean inner_host?"}},
		{"key in another case", `{"Addr": "127.0.0.1:0"}`, []string{`1:2: unknown key "Addr"; ` + knownKeys + "; did you mean addr?"}},
		{"key of a flag that is no setting", `{"config": "other.json"}`, []string{`1:2: unknown key "config"; ` + knownKeys}},
		{"keys by command", `{"serve": {"addr": "127.0.0.1:0"}}`, []string{`1:2: unknown key "serve"; ` + knownKeys}},
		{"columns are characters", `{"fallback": "/ä.html", "fällback": "/a.html"}`, []string{`1:25: unknown key "fällback"; ` + knownKeys + "; did you mean fallback?"}},
		{"duplicate key", "{\"json\": true,\n \"json\": true}", []string{`2:2: the key "json" stands twice, first at line 1, column 2; delete one of the two`}},
		{"duplicate key, spelled otherwise", `{"json": true, "\u006ason": false}`, []string{`1:16: the key "json" stands twice, first at line 1, column 2; delete one of the two`}},

		{"text for a flag", `{"json": "yes"}`, []string{`1:10: json is text, not true or false; write true or false`}},
		{"text for a number", `{"max_streams": "8"}`, []string{`1:17: max_streams is text, not a number; write digits, without quotes`}},
		{"number for text", `{"addr": 3333}`, []string{`1:10: addr is a number, not text; write "…"`}},
		{"number for a time", `{"timeout": 5}`, []string{`1:13: timeout is a number, not text; write "…"`}},
		{"object", `{"rules": {"check": true}}`, []string{`1:11: rules is an object, not text; write "…"`}},
		{"null", `{"rules": null}`, []string{`1:11: rules is null, not text; give it a value or delete the key`}},
		{"number for a list", `{"embedder": 1}`, []string{`1:14: embedder is a number, not text or a list of texts; write "…" or ["…", "…"]`}},
		{"elements", "{\"embedder\": [\"https://a.example\", 1,\n[]]}", []string{`1:36: an element of embedder is a number, not text; write "…"`, `2:1: an element of embedder is a list, not text; write "…"`}},
		{"number that is none of them", `{"max_streams": 1.5}`, []string{`1:17: max_streams: expected a valid 64 bit int but got "1.5"; write it as --max-streams takes it`}},
		{"word", `{"log_format": "jsn"}`, []string{`1:16: log_format: unknown word "jsn"; the words are text, json; did you mean json?`}},
		{"level", `{"log_level": "loud"}`, []string{`1:15: log_level: slog: level string "loud": unknown name; write it as --log-level takes it`}},
		{"time", `{"timeout": "5"}`, []string{`1:13: timeout: expected duration but got "5": time: missing unit in duration "5"; write it as --timeout takes it`}},
		{"regular expression", `{"only": "("}`, []string{"1:10: only: error parsing regexp: missing closing ): `(`; write it as --only takes it"}},
		{"several", `{"adr": 1, "addr": 1}`, []string{`1:2: unknown key "adr"; ` + knownKeys + "; did you mean addr?", `1:20: addr is a number, not text; write "…"`}},

		{"list as the whole", " []", []string{"1:2: the settings are a list, not an object; write {…}"}},
		{"null as the whole", "null", []string{"1:1: the settings are null, not an object; write {…}"}},
		{"YAML", "addr: 127.0.0.1:0\n", []string{"1:1: " + notJSON + "invalid character 'a' at start of value" + likeThis}},
		{"a comma too many", `{"json": true,}`, []string{"1:14: " + notJSON + "invalid character ',' at start of value" + likeThis}},
		{"a comma too few", "{\"json\": true\n\"open\": true}", []string{"2:1: " + notJSON + "invalid character '\"' after object value (expecting ',' or '}')" + likeThis}},
		{"cut off", `{"addr": "127.0`, []string{"1:16: " + notJSON + "unexpected EOF" + likeThis}},
		{"a mistake before what is no JSON", `{"adr": 1, x}`, []string{`1:2: unknown key "adr"; ` + knownKeys + "; did you mean addr?", "1:12: " + notJSON + "invalid character 'x' at start of value" + likeThis}},
		{"not UTF-8", "{\"addr\": \"\xff\"}", []string{"1:11: " + notJSON + "invalid UTF-8" + likeThis}},
		{"more than one", `{"json": true} {"json": false}`, []string{"1:16: after the settings there is an object; delete it"}},
		{"more than one, of which one is none", `{"json": true} x`, []string{"1:16: " + notJSON + "invalid character 'x' at start of value" + likeThis}},
		{"a terminal's escape", `{"\u001b[2J": 1, "only": "(\u001b"}`, []string{`1:2: unknown key "\x1b[2J"; ` + knownKeys, "1:26: only: error parsing regexp: missing closing ): `(\uFFFD`; write it as --only takes it"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			noSettings(t)
			t.Chdir(t.TempDir())
			write(t, "settings.json", row.text)
			status, out, stderr := run("rules", "starter", "--config", "settings.json")
			if row.mistakes == nil {
				if status != exitOK || stderr != "" || !strings.Contains(out, "block-all") {
					t.Errorf("status %d, standard output %q, standard error\n%s", status, out, stderr)
				}
				return
			}
			want := "bellglass: the settings are refused:\nsettings.json:" + strings.Join(row.mistakes, "\nsettings.json:") + "\nRun bellglass --help for the commands and flags.\n"
			if status != exitUsage || out != "" || stderr != want {
				t.Errorf("status %d, standard output %q, standard error\n%s\nwant\n%s", status, out, stderr, want)
			}
		})
	}
}

// The nearer word counts: the command line, then the environment, then the file.
func TestOrderOfSettings(t *testing.T) {
	noSettings(t)
	t.Chdir(t.TempDir())
	write(t, "settings.json", `{"json": true}`)
	write(t, "policy.yaml", "version: 1\n")
	check := func(want bool, args ...string) {
		t.Helper()
		status, out, stderr := run(append([]string{"rules", "check", "policy.yaml"}, args...)...)
		if status != exitOK || strings.HasPrefix(out, "{") != want {
			t.Errorf("%q: status %d, want JSON %t:\n%s%s", args, status, want, out, stderr)
		}
	}
	check(false)
	check(true, "--config", "settings.json")
	t.Setenv("BELLGLASS_JSON", "false")
	check(false, "--config", "settings.json")
	check(true, "--config", "settings.json", "--json")
}

// Each flag can be set by the file, in the form that its type has, and in no other.
func TestEachFlagIsASetting(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	all := settingsOf(parser.Model.Node)
	for name, flags := range all {
		var right, wrong any = "x", true
		switch target := flags[0].Target.Interface().(type) {
		case string:
			if flags[0].Enum != "" {
				right = flags[0].EnumSlice()[0]
			}
		case []string:
			right = []string{"x", "y,z"}
		case bool:
			right, wrong = true, 1
		case int, int64:
			right = 7
		case time.Duration:
			right = "7s"
		case size:
			right = "1.5 GB"
		case slog.Level:
			right = "warn"
		case *regexp.Regexp:
		default:
			t.Errorf("%s is a %T, which this test does not know; does settingForm?", name, target)
		}
		for _, row := range []struct {
			value any
			taken bool
		}{{right, true}, {wrong, false}, {nil, false}, {map[string]any{}, false}} {
			text, err := json.Marshal(map[string]any{name: row.value})
			if err != nil {
				t.Fatal(err)
			}
			if values, err := readSettings("settings.json", text, all); (err == nil) != row.taken || (values[name] != nil) != row.taken {
				t.Errorf("%s is read as %v, %v", text, values, err)
			}
		}
	}
}
