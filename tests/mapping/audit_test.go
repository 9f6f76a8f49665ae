package mapping

import (
	"fmt"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// In an audit, a request that matches no rule leaves and is logged, because the browser's own
// policies are open. Blocks hold. The host page says that nothing is contained.
func TestAudit(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": "<!doctype html><title>Audit</title>"}, fmt.Sprintf(`version: 1
mode: audit
rules:
  - {id: tracker, block: %q}
`, birds.URLAt("localhost", "blocked", "/x")))
	v := g.Open(t, "localhost", sandbox)
	if level, _ := v.WaitFor("#containment").GetAttribute("data-level"); level != "audit" {
		t.Errorf("the host page says %q of the containment", level)
	}
	for _, c := range []struct{ token, path, code string }{
		{"free", "/a", "audit"},
		{"free-image", "/b.png", "audit"},
		{"blocked", "/x", "rule"},
	} {
		url := birds.URLAt("localhost", c.token, c.path)
		v.Eval(fmt.Sprintf(`async () => { try { return (await fetch(%q)).status } catch (error) { return error.message } }`, url))
		v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-code=%q][data-url=%q]`, c.code, url))
	}
	for token, want := range map[string]bool{"free": true, "free-image": true, "blocked": false} {
		if got := len(birds.Hits(token)) > 0; got != want {
			t.Errorf("%s: the canary received it: %v, want %v", token, got, want)
		}
	}
}
