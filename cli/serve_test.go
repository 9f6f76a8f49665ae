package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
)

// serve prints for people first, and also for scripts: each line has a name and an
// address. A new line is added at the end.
func TestServePrintsItsAddresses(t *testing.T) {
	ownState(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte("<!doctype html><title>A</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		addresses = `Open http://localhost:(\d+)/\nsandbox    http://([a-z2-7]{26})\.glass\.localhost:(\d+)/\nouter      http://outer\.localhost:(\d+)/([a-z2-7]{26})\n`
		library   = `library    http://outer\.localhost:(\d+)/bellglass\.js\n`
	)
	for _, row := range []struct {
		dir    string
		tokens []string
		want   string
	}{
		{"", nil, addresses + `token      \S{16,}\n` + library},
		{"", []string{"a-token-of-somebody"}, addresses + library},
		{folder, []string{"a-token-of-somebody"}, addresses + library + `folder     index\.html\n`},
	} {
		// The signal comes before the start. serve prints before it looks.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out bytes.Buffer
		c := serve{Dir: row.dir, Addr: "127.0.0.1:0", Entry: "/", folderFlags: folderFlags{MaxFiles: 10, MaxBytes: 1_000, MaxFileSize: 1_000}, InnerHost: "{id}.glass.localhost", OuterHost: "outer.localhost", Token: row.tokens}
		if err := c.run(ctx, streams{out: &out, err: io.Discard, log: slog.New(slog.DiscardHandler)}); err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile("^" + row.want + "$").FindStringSubmatch(out.String())
		if found == nil {
			t.Fatalf("with the tokens %q it prints\n%s", row.tokens, out.String())
		}
		if found[1] != found[3] || found[1] != found[4] || found[1] != found[6] || found[2] != found[5] {
			t.Errorf("the lines disagree about port or id:\n%s", out.String())
		}
	}
}

// The addresses of the MCP Apps proxy are printed if it is enabled. An unusable port
// ends the program before it serves.
func TestServeForMCPApps(t *testing.T) {
	ownState(t)
	t.Chdir(t.TempDir())
	taken, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	const proxy, further = `MCP Apps   http://outer\.localhost:\d+/sandbox\.html\n`, `           http://localhost:\d+/sandbox\.html\n`
	for _, row := range []struct {
		c    serve
		want string // the last lines, or a part of the error
	}{
		{serve{MCP: true}, proxy},
		{serve{MCPKey: "a.key"}, proxy},
		{serve{MCPAddr: "127.0.0.1:0"}, proxy + further},
		{serve{MCPAddr: "localhost:0", MCP: true}, proxy + further},
		{serve{MCPProfile: "claude"}, proxy},
		{serve{MCPProfile: "gemini"}, "the profiles are spec chatgpt claude"},
		{serve{MCPAddr: "0.0.0.0:0"}, "is not a loopback address"},
		{serve{MCPAddr: "8081"}, "--mcp-addr: the address \"8081\" is not host:port"},
		{serve{MCPAddr: fmt.Sprint("127.0.0.1:", taken.Port())}, "--mcp-addr: the address 127.0.0.1"},
		{serve{MCPKey: "missing/a.key"}, "missing/a.key"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out bytes.Buffer
		c := row.c
		c.Addr, c.Entry, c.InnerHost, c.OuterHost = "127.0.0.1:0", "/", "{id}.glass.localhost", "outer.localhost"
		err := c.run(ctx, streams{out: &out, err: io.Discard, log: slog.New(slog.DiscardHandler)})
		if err == nil && !regexp.MustCompile(`\n`+row.want+`$`).MatchString(out.String()) || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v prints\n%s%v", row.c, out.String(), err)
		}
	}
	if _, err := (&serve{MCPAddr: "localhost:3333"}).listenProxy(3333); err == nil || !strings.Contains(err.Error(), "has the port of --addr") {
		t.Errorf("one port for both: %v", err)
	}
}

// The address for BTCP clients is printed if they are served. A policy under which no
// tool can run ends the program before it serves.
func TestServeForBTCP(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "tools.yaml", "version: 1\nscripts: [eval]\n")
	write(t, "none.yaml", "version: 1\nscripts: [inline]\n")
	write(t, "broken.yaml", "version: 1\nscript: [eval]\n")
	for _, row := range []struct {
		is          bool
		rules, says string // a part of the error
	}{
		{true, "", ""}, {false, "tools.yaml", ""}, {true, "tools.yaml", ""}, {false, "none.yaml", "add eval"}, {true, "broken.yaml", "broken.yaml:2"}, {true, "missing.yaml", "missing.yaml"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out bytes.Buffer
		c := serve{Addr: "127.0.0.1:0", Entry: "/", InnerHost: "{id}.glass.localhost", OuterHost: "outer.localhost", BTCP: row.is, BTCPRules: row.rules}
		err := c.run(ctx, streams{out: &out, err: io.Discard, log: slog.New(slog.DiscardHandler)})
		if row.says != "" {
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("with %q it ends with %v, want %q", row.rules, err, row.says)
			}
			continue
		}
		if err != nil || !regexp.MustCompile(`\nBTCP       http://outer\.localhost:\d+/btcp\.html\n$`).MatchString(out.String()) {
			t.Errorf("with %t and %q it prints\n%s%v", row.is, row.rules, out.String(), err)
		}
	}
}
