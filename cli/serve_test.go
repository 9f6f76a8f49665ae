package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"regexp"
	"testing"
)

// What serve prints is for people first, and for scripts: each line has a name and an
// address, and a new one comes last.
func TestServePrintsItsAddresses(t *testing.T) {
	const (
		addresses = `Open http://localhost:(\d+)/\nsandbox    http://([a-z2-7]{26})\.glass\.localhost:(\d+)/\nouter      http://outer\.localhost:(\d+)/([a-z2-7]{26})\n`
		library   = `library    http://outer\.localhost:(\d+)/bellglass\.js\n`
	)
	for _, row := range []struct {
		tokens []string
		want   string
	}{
		{nil, addresses + `token      \S{16,}\n` + library},
		{[]string{"a-token-of-somebody"}, addresses + library},
	} {
		// It is told to end before it begins, and prints before it looks.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out bytes.Buffer
		c := serve{Addr: "127.0.0.1:0", Entry: "/", InnerHost: "{id}.glass.localhost", OuterHost: "outer.localhost", Token: row.tokens}
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
