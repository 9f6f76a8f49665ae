package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration file that is no JSON object is a usage error, and none of any
// shape makes the command panic or another decision.
func FuzzConfigFile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"json":true}`, `{"log_level":"debug"}`, `{"log_level":"nonsense"}`, `{"type":"script"}`, `{"type":["script"]}`, `{"json":"yes"}`, `{"json":null}`, `{"rules":{"explain":{"json":true}}}`,
		`{"addr":"127.0.0.1:0","embedder":["a","b"]}`, `{"config":"x"}`, `{"version":true}`, `{"help":true}`, `[]`, `null`, `1`, `"x"`, ``, `{`, `{"json":1e999}`, "\xff", "\x00", `{"json":true}{"json":false}`, "\ufeff{}",
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
	policy := filepath.Join("testdata", "policies", "product.yaml")
	f.Fuzz(func(t *testing.T, config []byte) {
		path := filepath.Join(t.TempDir(), "config.json")
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
		if !json.Valid(config) && status == exitOK && strings.TrimSpace(string(config)) != "" && !beginsWithJSON(config) {
			t.Errorf("%q is accepted", config)
		}
		if text := out.String(); status == exitOK && !strings.Contains(text, "block") && text != version()+"\n" && !strings.Contains(text, "Usage: ") {
			t.Errorf("%q: the decision is %q", config, text)
		}
	})
}

// beginsWithJSON: what follows the first value of the file is not read.
func beginsWithJSON(text []byte) bool {
	var value any
	return json.NewDecoder(bytes.NewReader(text)).Decode(&value) == nil
}
