package sw_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/sw"
)

func newWorker(t *testing.T, defended bool) *sw.Worker {
	t.Helper()
	w, err := sw.NewWorker(sw.Lacks{Decision: !defended}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func script(t *testing.T, w *sw.Worker, secret, key, incarnation, policy string, refusal map[string]string) []byte {
	t.Helper()
	s, err := w.Script(secret, key, incarnation, policy, refusal)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var refusal = map[string]string{"Content-Security-Policy": "default-src 'none'", "Connection-Allowlist": "()", "X": "</script>\u2028", "A": "1", "B": "2", "C": "3"}

// If a single byte differed, every browser would install the worker again at each update
// check.
func TestScriptIsStable(t *testing.T) {
	first, second := newWorker(t, true), newWorker(t, true)
	if first.Hash() != second.Hash() {
		t.Errorf("two bundles of the same source are %s and %s", first.Hash(), second.Hash())
	}
	want := script(t, first, "secret", "key", "incarnation", "policy", refusal)
	for range 20 {
		for _, w := range []*sw.Worker{first, second} {
			if got := script(t, w, "secret", "key", "incarnation", "policy", refusal); !bytes.Equal(got, want) {
				t.Fatalf("the script differs between two calls:\n%.300s\n%.300s", want, got)
			}
		}
	}
}

// Each configuration value of a sandbox makes the script a different one.
func TestScriptsDiffer(t *testing.T) {
	w := newWorker(t, true)
	want := script(t, w, "secret", "key", "incarnation", "policy", refusal)
	for what, other := range map[string][]byte{
		"secret":      script(t, w, "another", "key", "incarnation", "policy", refusal),
		"key":         script(t, w, "secret", "another", "incarnation", "policy", refusal),
		"incarnation": script(t, w, "secret", "key", "another", "policy", refusal),
		"policy":      script(t, w, "secret", "key", "incarnation", "another", refusal),
		"refusal":     script(t, w, "secret", "key", "incarnation", "policy", nil),
		"defenses":    script(t, newWorker(t, false), "secret", "key", "incarnation", "policy", refusal),
	} {
		if bytes.Equal(want, other) {
			t.Errorf("with another %s it is the same script", what)
		}
	}
}

// The worker's configuration equals the values given to Script.
func TestScriptHoldsItsConfiguration(t *testing.T) {
	w := newWorker(t, true)
	text, bundle, ok := strings.Cut(string(script(t, w, "s\"'</script>\u2028", "k", "i", "p", refusal)), ";\n")
	text, begins := strings.CutPrefix(text, "const bellglassConfig = ")
	if !ok || !begins {
		t.Fatalf("the script begins with %.100q", text)
	}
	var got sw.WorkerConfig
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sw.WorkerConfig{Secret: "s\"'</script>\u2028", Key: "k", Incarnation: "i", Bundle: w.Hash(), Policy: "p", Refusal: refusal}, got); diff != "" {
		t.Errorf("the configuration (-given +written):\n%s", diff)
	}
	if sum := sha256.Sum256([]byte(bundle)); hex.EncodeToString(sum[:]) != w.Hash() {
		t.Errorf("the hash %s is not that of the bundle", w.Hash())
	}
}

// The undefended worker exists for controls. Page code cannot set the switch: the undefended
// worker lacks the code, instead of testing a variable.
func TestDefenses(t *testing.T) {
	defended, undefended := newWorker(t, true), newWorker(t, false)
	if defended.Hash() == undefended.Hash() {
		t.Error("the worker without defenses is the same bundle")
	}
	for _, w := range []*sw.Worker{defended, undefended} {
		if s := script(t, w, "", "", "", "", nil); bytes.Contains(s, []byte("DECIDES")) {
			t.Error("the switch is still in the bundle, as a name that something could define")
		}
	}
}

// The bundle is one classic script that declares no global name, so code that runs later
// cannot reach what is in it.
func TestBundleIsOneClassicScript(t *testing.T) {
	got, err := sw.Bundle(sw.Sources{"a": fstest.MapFS{
		"src/main.ts":  {Data: []byte("import { one } from './lib'\nimport { two } from '../../b/two'\nimport type { T } from './lib'\nexport const sum: T = one + two + BUILT\nprint(sum)\n")},
		"src/lib.ts":   {Data: []byte("export type T = number\nexport const one: T = 1\nexport const unused = 'left out'\n")},
		"src/lib.js":   {Data: []byte("syntax error")},
		"src/lib/x.ts": {Data: []byte("syntax error")},
	}, "b": fstest.MapFS{"two.ts": {Data: []byte("export const two = 2\n")}}}, "a/src/main.ts", map[string]string{"BUILT": "4"})
	if err != nil {
		t.Fatal(err)
	}
	text := string(got.JS)
	if sum := sha256.Sum256(got.JS); hex.EncodeToString(sum[:]) != got.Hash {
		t.Errorf("the hash %s is not that of the script", got.Hash)
	}
	for _, bad := range []string{"import", "export", "left out", "BUILT", "require"} {
		if strings.Contains(text, bad) {
			t.Errorf("the script holds %q:\n%s", bad, text)
		}
	}
	if !strings.Contains(text, "(() => {") || strings.HasPrefix(text, "var ") {
		t.Errorf("the script leaves names behind:\n%s", text)
	}
}

func TestBundleErrors(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		says  []string
	}{
		"syntax error":           {fstest.MapFS{"main.ts": {Data: []byte("const a = 1\nconst b = (\n\n  2 +\n")}}, []string{"main.ts:5:0", "bundling test/main.ts"}},
		"syntax error in import": {fstest.MapFS{"main.ts": {Data: []byte("import './other'\n")}, "other.ts": {Data: []byte("\n  let x = = 1\n")}}, []string{"other.ts:2:10"}},
		"two errors": {fstest.MapFS{"main.ts": {Data: []byte("import './a'\nimport './b'\n")}, "a.ts": {Data: []byte("const")}, "b.ts": {Data: []byte("\n}")}},
			[]string{"a.ts:1:5", "b.ts:2:0"}},
		"missing import": {fstest.MapFS{"main.ts": {Data: []byte("// x\nimport './none'\n")}}, []string{"main.ts:2:7", "there is no embedded source test/none"}},
		"missing export": {fstest.MapFS{"main.ts": {Data: []byte("import { a } from './other'\nprint(a)\n")}, "other.ts": {Data: []byte("export const b = 1")}}, []string{"main.ts:1:9", `"a"`}},
		"no entry":       {fstest.MapFS{}, []string{"test/main.ts"}},
	} {
		_, err := sw.Bundle(sw.Sources{"test": c.files}, "test/main.ts", nil)
		if err == nil {
			t.Errorf("%s is bundled", name)
			continue
		}
		for _, says := range c.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: the error has no %q:\n%v", name, says, err)
			}
		}
	}
}

// The browser runs only code that is embedded in the program: no import leads to the disk, to
// a package, or to the network.
func TestBundleStaysInItsSources(t *testing.T) {
	for _, path := range []string{
		"/etc/passwd", "../../../../../../etc/passwd", "./../../go.mod", "../sw/bundle", "file:///etc/passwd", "fs", "node:fs", "typescript", "esbuild",
		"https://example.com/x.js", "//example.com/x.js", "data:text/javascript,evil()", "./", ".", "..", "../test", "../other/x", "./main.ts/../../sw/src/config", "\x00",
	} {
		quoted, err := json.Marshal(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"import " + string(quoted), "export * from " + string(quoted), "void import(" + string(quoted) + ")", "require(" + string(quoted) + ")"} {
			got, err := sw.Bundle(sw.Sources{"test": fstest.MapFS{"main.ts": {Data: []byte(text)}}}, "test/main.ts", nil)
			if err == nil || !strings.Contains(err.Error(), "there is no embedded source") {
				t.Errorf("%s: %v\n%s", text, err, got.JS)
			}
		}
	}
	for _, entry := range []string{"bundle.go", "./bundle_test.go", "/etc/passwd", "sw/src/none.ts", "sw", ""} {
		if got, err := sw.Bundle(sw.Sources{"sw": sw.TypeScript}, entry, nil); err == nil {
			t.Errorf("the entry %q is bundled: %.100s", entry, got.JS)
		}
	}
}

// A module keeps only the imports that the caller names, under the caller's names.
func TestBundleModuleKeepsExternals(t *testing.T) {
	sources := sw.Sources{"test": fstest.MapFS{
		"main.ts": {Data: []byte("import { a } from 'outside'\nimport './own'\nprint(a)\n")},
		"own.ts":  {Data: []byte("import 'outside'\nprint('own')\n")},
	}}
	got, err := sw.BundleModule(sources, "test/main.ts", map[string]string{"outside": "./beside.js"})
	if text := string(got.JS); err != nil || !strings.Contains(text, `import { a } from "./beside.js"`) || !strings.Contains(text, `print("own")`) {
		t.Errorf("the module is (%v)\n%s", err, text)
	}
	if _, err := sw.BundleModule(sources, "test/main.ts", map[string]string{"other": "other"}); err == nil || !strings.Contains(err.Error(), "there is no embedded source test/outside") {
		t.Errorf("another import is kept: %v", err)
	}
	if _, err := sw.BundleModule(sources, "outside", map[string]string{"outside": "./beside.js"}); err == nil {
		t.Error("an entry is kept outside")
	}
}

// Every source of the worker is in the bundle or contains types only. Any other source would
// be dead code.
func TestWorkerSourcesAreEmbedded(t *testing.T) {
	names, err := fs.Glob(sw.TypeScript, "src/*.ts")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d sources are embedded (%v)", len(names), err)
	}
	text := string(script(t, newWorker(t, true), "", "", "", "", nil))
	typesOnly := []string{"src/state.gen.ts"}
	for _, name := range names {
		if inBundle := strings.Contains(text, "bellglass:sw/"+name); inBundle == (name == typesOnly[0]) {
			t.Errorf("%s is in the bundle: %v", name, inBundle)
		}
	}
}
