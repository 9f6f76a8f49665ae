package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/cli/deployment"
	"github.com/bellglass/bellglass/internal/testca"
	"github.com/bellglass/bellglass/server"
)

// The command prints a table or a document, and its exit status gives the result. Names
// below localhost need no name server.
func TestDoctorOfADeployment(t *testing.T) {
	noSettings(t)
	authority, dir := made(testca.New()), t.TempDir()
	cert, key, err := authority.Issue(dir, time.Now().Add(time.Hour), "localhost", "sandbox.localhost", "*.sandbox.localhost")
	if err != nil {
		t.Fatal(err)
	}
	listeners := made(server.Listen("127.0.0.1:0"))
	listeners.TLS(made(server.LoadCertificate(cert, key, slog.New(slog.DiscardHandler))))
	address := listeners.URL()
	srv := made(server.New(server.Config{PublicURL: address}))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listeners) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, authority.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args   []string
		status int
		out    []string
		err    string
	}{
		{[]string{"--public-url", address, "--ca", ca}, 0, []string{"ok       answer ", "warning  certificate    sandbox.localhost ", "It expires on", "What to do:", "\n0 problems, 3 warnings\n"}, ""},
		{[]string{"--public-url", address}, 1, []string{"problem  certificate ", "--ca FILE", "\n3 problems, 0 warnings\n"}, "has 3 problems"},
		{[]string{"--public-url", "glass.example.com"}, 1, []string{"is not an origin", "\n1 problem, 0 warnings\n"}, "has 1 problem\n"},
		{[]string{"--public-url", address, "--ca", key}, exitUnmeasured, nil, "no certificate"},
		{[]string{"--public-url", address, "--ca", ca, "--timeout", "1ns"}, exitUnmeasured, nil, "--timeout 1ns"},
		{[]string{"--public-url", address, "--nonsense"}, exitUsage, nil, "--nonsense"},
	} {
		status, out, stderr := run(append([]string{"doctor"}, row.args...)...)
		if status != row.status || !strings.Contains(stderr, row.err) || row.err == "" && stderr != "" || row.out == nil && out != "" {
			t.Errorf("%q: status %d, want %d\n%s%s", row.args, status, row.status, out, stderr)
		}
		for _, says := range row.out {
			if !strings.Contains(out, says) {
				t.Errorf("%q: no %q in\n%s", row.args, says, out)
			}
		}
	}
	t.Setenv("BELLGLASS_PUBLIC_URL", address)
	t.Setenv("BELLGLASS_CA", ca)
	status, out, stderr := run("doctor", "--json")
	var d deployment.Diagnosis
	if err := json.Unmarshal([]byte(out), &d); status != 0 || stderr != "" || err != nil || d.PublicURL != address || d.Warnings != 3 || len(d.Findings) != 15 {
		t.Errorf("status %d, %v, %d findings\n%s%s", status, err, len(d.Findings), out, stderr)
	}
}

// made returns a value, or fails the test.
func made[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
