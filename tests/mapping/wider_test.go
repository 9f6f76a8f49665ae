package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Browsers without Connection-Allowlist behave as rules check says of them. Where it is
// enforced, nothing gets past the rules.
func TestWiderWithoutAllowlist(t *testing.T) {
	t.Parallel()
	// What arrives although no rule allows it, by engine.
	wider := map[string][]string{"Chromium": nil, "Firefox": {"redirected", "framed", "posted"}, "WebKitGTK": {"framed"}}
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g := glass.Start(t)
			text := fmt.Sprintf(`version: 1
rules:
  - {id: path, types: [fetch], allow: %[1]s**}
  - {id: frame, types: [frame], allow: [%[2]s**, %[3]s**]}
  - {id: methods, types: [media], methods: [POST], allow: %[4]s}
  - {id: control, types: [media], allow: %[5]s}
`, birds.URL("path", "/"), birds.URL("frame", "/"), strings.Replace(birds.URL("frame", "/"), "http:", "https:", 1), birds.URL("posted", "/a.wav"), birds.URL("control", "/a.wav"))
			policy, err := rules.Parse("policy.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			reporter := rules.NewReporter(policy)
			for i, want := range []string{"a redirect", "a redirect", "no audio or video"} {
				if got := strings.Join(reporter.Report(i).WithoutAllowlist, "; "); !strings.Contains(got, want) {
					t.Errorf("the report says %q of %s, want %q", got, policy.Rules[i].ID, want)
				}
			}
			// Each attempt is followed by one of the same kind that must arrive.
			page := fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Wider</title><body><script>
const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
const frame = (src) => new Promise((resolve) => {
	const made = document.createElement('iframe')
	made.onload = resolve
	made.src = src
	document.body.append(made)
})
const play = (src) => new Promise((resolve) => {
	const audio = document.createElement('audio')
	audio.onerror = audio.oncanplay = resolve
	audio.src = src
	audio.load()
})
const settle = async () => {
	for (const src of [%[1]q, %[2]q]) await frame(src)
	for (const url of [%[3]q, %[4]q]) await blank.fetch(url).catch(() => {})
	for (const src of [%[5]q, %[6]q]) await play(src)
}
settle()
</script>`, birds.Redirect("frame", birds.URL("framed", "/x")), birds.URL("frame", "/control"), birds.Redirect("path", birds.URL("redirected", "/x")), birds.URL("path", "/control"), birds.URL("posted", "/a.wav"), birds.URL("control", "/a.wav"))
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": page}, glass.AllScripts+strings.TrimPrefix(text, "version: 1\n"))
			open(t, sandbox.HostURL())
			for _, control := range []string{"/frame/control", "/path/control", "/control/a.wav"} {
				if _, err := birds.WaitFor(t.Context(), func(h *canary.Hit) bool { return h.Path == control }); err != nil {
					t.Fatalf("%s: %v", control, err)
				}
			}
			for _, token := range []string{"framed", "redirected", "posted"} {
				if arrived := len(birds.Hits(token)) > 0; arrived != slices.Contains(wider[engine], token) {
					t.Errorf("%s arrived: %v", token, arrived)
				}
			}
		})
	}
}
