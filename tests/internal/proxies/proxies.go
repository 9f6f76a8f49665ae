// Package proxies runs nginx and Caddy in front of a server, with the configurations that
// docs/deploy.md shows. [Nginx] and [Caddy] start one and end it with the test.
package proxies

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/process"
	"github.com/bellglass/bellglass/tests/internal/programs"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// A Deployment is what a configuration is made for.
type Deployment struct {
	Host, Outer, Inner string // names; Inner with * for the id
	Cert, Key          string // files
	Port               int    // of the proxy
	Server             int    // port of the server behind it, on 127.0.0.1
}

// Nginx starts nginx, and returns once it listens. change lists pairs of texts; in the
// configuration, the first of each is replaced by the second.
func Nginx(t testing.TB, d Deployment, change ...string) {
	t.Helper()
	dir := t.TempDir()
	site := d.fill(t, "nginx", "listen 443 ssl http2;", fmt.Sprintf("listen 127.0.0.1:%d ssl http2;", d.Port), change)
	nginx.run(t, dir, fmt.Sprintf("daemon off;\nmaster_process off;\npid %[1]s/pid;\nerror_log stderr notice;\nevents {}\nhttp {\naccess_log off;\n"+
		"client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;\n%[2]s}\n", dir, site),
		"-e", "stderr", "-c")
}

// Caddy is like Nginx, for Caddy.
func Caddy(t testing.TB, d Deployment, change ...string) {
	t.Helper()
	caddy.run(t, t.TempDir(), d.fill(t, "caddyfile", "{\n\tservers {", fmt.Sprintf("{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port %d\n\tdefault_bind 127.0.0.1\n\tservers {", d.Port), change),
		"run", "--adapter", "caddyfile", "--config")
}

// fill inserts the deployment into the only block of a kind in docs/deploy.md. Texts to
// replace must exist.
func (d Deployment) fill(t testing.TB, kind, listen, replaced string, change []string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(repository.Read(t, "docs/deploy.md")), "\n```"+kind+"\n")
	text, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("docs/deploy.md has no block of %s", kind)
	}
	for _, pair := range [][2]string{
		{listen, replaced}, {"127.0.0.1:3333", fmt.Sprintf("127.0.0.1:%d", d.Server)},
		{"/etc/ssl/glass/cert.pem", d.Cert}, {"/etc/ssl/glass/key.pem", d.Key},
		{"*.sandbox.example.net", d.Inner}, {"sandbox.example.net", d.Outer}, {"glass.example.com", d.Host},
	} {
		text = replace(t, text, pair[0], pair[1])
	}
	for i := 0; i+1 < len(change); i += 2 {
		text = replace(t, text, change[i], change[i+1])
	}
	return text
}

func replace(t testing.TB, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("the configuration has no %q:\n%s", from, text)
	}
	return strings.ReplaceAll(text, from, to)
}

// A program is a proxy, and what it prints once it listens.
type program struct {
	find    func() (string, error)
	file    string
	listens *regexp.Regexp
}

var (
	nginx = program{programs.Nginx, "nginx.conf", regexp.MustCompile(`using the "`)}
	caddy = program{programs.Caddy, "Caddyfile", regexp.MustCompile(`serving initial configuration`)}
)

// run runs the program with a configuration, in a folder, until the test ends.
func (p program) run(t testing.TB, dir, configuration string, arguments ...string) {
	t.Helper()
	path, err := p.find()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, p.file), []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append(arguments, filepath.Join(dir, p.file))...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	running, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Stop(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := running.Await(ctx, p.listens); err != nil {
		t.Fatalf("%v\n%s", err, configuration)
	}
}

const patience = time.Minute
