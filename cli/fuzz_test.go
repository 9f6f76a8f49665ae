package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// A settings file that is not a YAML mapping, or has a value that no flag accepts, is a usage
// error. No file makes the command panic or decide differently.
func FuzzConfigFile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"json":true}`, `{"log_level":"debug"}`, `{"log_level":"nonsense"}`, `{"type":"script"}`, `{"type":["script"]}`, `{"json":"yes"}`, `{"json":null}`, `{"rules":{"explain":{"json":true}}}`,
		`{"addr":"127.0.0.1:0","embedder":["a","b"]}`, `{"config":"x"}`, `{"version":true}`, `{"help":true}`, `[]`, `null`, `1`, `"x"`, ``, `{`, `{"json":1e999}`, "\xff", "\x00", `{"json":true}{"json":false}`, "\ufeff{}",
		`{"jsn":true}`, `{"json":true,"json":true}`, `{"embedder":["a",[1,{}]]}`, `{"timeout":"5s","only":"("}`,
		"json: yes\naddr: 127.0.0.1:0\n", "log_level: debug\nembedder:\n  - a\n  - b\n", "rules: &a b\nentry: *a\n", "json: !!bool yes", "<<: {json: true}", "--- # none\n", "json: true\n---\n", "? json\n: no\n",
	} {
		f.Add([]byte(seed))
	}
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "BELLGLASS_") {
			f.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				f.Fatal(err)
			}
		}
	}
	keys := []string{
		"addr", "args", "browser", "btcp", "btcp_rules", "embedder", "entry", "fail_on_block", "fallback", "ignore", "inner_host", "json", "log_format", "log_level", "max_bytes", "max_connections",
		"max_execution_time", "max_executions", "max_file_size", "max_files", "max_idle", "max_log_bytes", "max_sandboxes", "max_store_bytes",
		"max_streams", "mcp", "mcp_addr", "mcp_key", "mcp_profile", "mcp_rules", "only", "open", "outer_host", "rules", "timeout", "token", "type",
	}
	policy := filepath.Join("testdata", "policies", "product.yaml")
	f.Fuzz(func(t *testing.T, config []byte) {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, config, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		status := start([]string{"--config", path, "rules", "explain", policy, "GET", "https://elsewhere.example/"}, strings.NewReader(""), &out, &stderr)
		if status != exitOK && status != exitUsage {
			t.Errorf("status %d of %q\n%s", status, config, &stderr)
		}
		if status == exitUsage && out.Len() > 0 || strings.Contains(stderr.String(), "goroutine ") {
			t.Errorf("%q: standard output %q, standard error %q", config, &out, &stderr)
		}
		var settings map[string]any
		if err := yaml.Unmarshal(config, &settings); status == exitOK && err != nil {
			t.Errorf("%q is accepted: %v", config, err)
		}
		for key := range settings {
			if !slices.Contains(keys, key) && status == exitOK {
				t.Errorf("%q is accepted, and has the key %q", config, key)
			}
		}
		if text := out.String(); status == exitOK && !strings.Contains(text, "block") {
			t.Errorf("%q: the decision is %q", config, text)
		}
	})
}
