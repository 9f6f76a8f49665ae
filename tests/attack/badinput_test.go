package attack

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/command"
)

// Bad input gives one clear error, status 1, and nothing on standard output.

func TestServeRefusesBadInput(t *testing.T) {
	t.Parallel()
	good := t.TempDir()
	writeFile(t, filepath.Join(good, "index.html"), "x")
	policy := filepath.Join(t.TempDir(), "rules.yaml")
	writeFile(t, policy, "version: 1\ndefault: block\nscript: [inline]\nrules:\n  - allow: https://*.com\n")

	large := t.TempDir()
	f, err := os.Create(filepath.Join(large, "large.bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := f.Truncate(1 << 40); err != nil { // sparse: it uses no disk space
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })

	for _, row := range []struct {
		what string
		args []string
		want []string // all of these must be in standard error
	}{
		{"missing folder", []string{filepath.Join(good, "missing")}, []string{"missing"}},
		{"a file as folder", []string{filepath.Join(good, "index.html")}, []string{"index.html"}},
		{"a file over the limit", []string{large}, []string{"/large.bin", "--max-file-size 512MiB"}},
		{"missing policy", []string{good, "--rules", filepath.Join(good, "none.yaml")}, []string{"none.yaml", "policy"}},
		{"a policy that does not parse", []string{good, "--rules", policy}, []string{"rules.yaml:3:1: ", "scripts", "rules.yaml:5:", "^"}},
		{"a port in use", []string{good, "--addr", taken.Addr().String()}, []string{"in use", taken.Addr().String(), "--addr"}},
		{"a bad address", []string{good, "--addr", "nowhere"}, []string{"nowhere"}},
		{"a bad embedder", []string{good, "--embedder", "docs.example.com"}, []string{"docs.example.com", "origin"}},
		{"fewer streams than none", []string{good, "--max-streams=-1"}, []string{"limit Streams is -1"}},
		{"fewer sandboxes than none", []string{good, "--max-sandboxes=-1"}, []string{"limit Sandboxes is -1"}},
		{"a negative time", []string{good, "--max-idle=-1s"}, []string{"limit Idle is -1s"}},
		{"fewer connections than none", []string{good, "--max-connections=-1"}, []string{"limit Connections is -1"}},
		{"more files than there is room for", []string{good, "--max-store-bytes=100"}, []string{"over --max-store-bytes 100B", "512 bytes", "--ignore", "a larger --max-store-bytes"}},
		{"a fallback that is not there", []string{good, "--fallback", "/none.html"}, []string{"/none.html"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve"}, row.args...)
			if !strings.Contains(strings.Join(args, " "), "--addr") {
				args = append(args, "--addr", "127.0.0.1:0")
			}
			result := command.Run(t, args...)
			if result.Status != 1 || result.Stdout != "" {
				t.Errorf("status %d, standard output %q; want 1 and nothing", result.Status, result.Stdout)
			}
			for _, part := range row.want {
				if !strings.Contains(result.Stderr, part) {
					t.Errorf("the error is %q, want %q in it", result.Stderr, part)
				}
			}
			if strings.Contains(result.Stderr, "goroutine") {
				t.Errorf("it panicked:\n%s", result.Stderr)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args   []string
		status int
	}{
		{[]string{"--help"}, 0},
		{[]string{"serve", "--help"}, 0},
		{[]string{"--version"}, 0},
		{nil, 2},
		{[]string{"srve"}, 2},
		{[]string{"serve", "--nothing"}, 2},
		{[]string{"serve", "a", "b"}, 2},
	} {
		result := command.Run(t, row.args...)
		if result.Status != row.status {
			t.Errorf("%q: status %d, want %d\n%s", row.args, result.Status, row.status, result.Stderr)
		}
		if row.status == 0 && result.Stdout == "" || row.status != 0 && result.Stdout != "" {
			t.Errorf("%q: standard output %q", row.args, result.Stdout)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
