package compile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/packages/starter"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The answer of a change, the event, the overlay in the view, and run say the same of a mistake.
// All are in one project, each in a folder of its own.
func TestMistakesAreSaidAlike(t *testing.T) {
	t.Parallel()
	texts, each := map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mistakes</title><script type="module" src="/each.js"></script>`}, ""
	for i, m := range mistakes {
		each += fmt.Sprintf("await says(%q)\n", folder(i)+m.main)
		for name, text := range m.files {
			texts[folder(i)+name] = strings.Replace(text, "«", "", 1)
		}
	}
	texts["/each.js"] = `const says = async (path) => {
  await import(path).catch(() => undefined)
  const cover = document.querySelector('bellglass-overlay')
  const [place, text] = cover === null ? ['', ''] : [...cover.shadowRoot.querySelectorAll('strong, p')].map((part) => part.textContent)
  cover?.remove()
  console.log('said ' + JSON.stringify([path, place.replace('This file cannot run: ', ''), text]))
}
` + each + "console.log('said all')"
	set, _, err := packages.Starter(t.Context(), packages.Options{Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	g := glass.Start(t)
	sandbox, err := g.Create(server.Spec{Files: g.Files(t, texts), Packages: set, Policy: glass.Parse(t, glass.BlockAll)})
	if err != nil {
		t.Fatal(err)
	}
	answered := byFolder(put(t, sandbox, "/changed.txt", "x").Diagnostics)
	told := byFolder(lastDiagnostics(t, sandbox))
	ran := runs(t, texts)
	glass.OpenChromium(t, sandbox.HostURL())
	var shown [][3]string // path, place, and text
	for _, e := range g.Log(t, sandbox, func(e glass.Logged) bool { return e.Text == "said all" }) {
		if said, is := strings.CutPrefix(e.Text, "said "); is && said != "all" {
			var one [3]string
			if err := json.Unmarshal([]byte(said), &one); err != nil {
				t.Fatalf("%s: %v", said, err)
			}
			shown = append(shown, one)
		}
	}
	if len(shown) != len(mistakes) {
		t.Fatalf("the page tells of %d mistakes, want %d", len(shown), len(mistakes))
	}
	for i, m := range mistakes {
		file, line, column := place(m)
		want := fmt.Sprintf("%s%s:%d:%d", folder(i), file, line, column)
		d := answered[folder(i)]
		if got := fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column); got != want || !strings.HasPrefix(d.Text, m.says) || d.Severity != protocol.SeverityError {
			t.Errorf("%s: the answer says %s: %s: %s, want it at %s", m.name, got, d.Severity, d.Text, want)
		}
		if told[folder(i)] != d {
			t.Errorf("%s: the event says %+v, and the answer %+v", m.name, told[folder(i)], d)
		}
		if printed := fmt.Sprintf("%s: error: %s\n", want[1:], strings.ReplaceAll(d.Text, "\n", " ")); !strings.Contains(ran, printed) {
			t.Errorf("%s: run does not print %q", m.name, printed)
		}
		// What is wrong with a tsconfig.json throws nowhere.
		over := [3]string{folder(i) + m.main, want, d.Text}
		if file == "tsconfig.json" {
			over[1], over[2] = "", ""
		}
		if shown[i] != over {
			t.Errorf("%s: the view shows %q, want %q", m.name, shown[i], over)
		}
	}
	if t.Failed() {
		t.Logf("run prints\n%s", ran)
	}
}

func folder(i int) string { return fmt.Sprintf("/m%02d/", i) }

// place returns where the mistake is. Columns count UTF-16 code units.
func place(m mistake) (file string, line, column int) {
	for name, text := range m.files {
		if before, _, here := strings.Cut(text, "«"); here {
			start := strings.LastIndex(before, "\n") + 1
			return name, strings.Count(before, "\n") + 1, len(utf16.Encode([]rune(before[start:]))) + 1
		}
	}
	return "", 0, 0
}

// byFolder returns the first diagnostic of each folder.
func byFolder(all []protocol.Diagnostic) map[string]protocol.Diagnostic {
	first := map[string]protocol.Diagnostic{}
	for _, d := range all {
		in := d.File[:strings.LastIndex(d.File, "/")+1]
		if _, there := first[in]; !there {
			first[in] = d
		}
	}
	return first
}

// lastDiagnostics returns those of the newest revision's event.
func lastDiagnostics(t *testing.T, sandbox *server.Sandbox) (last []protocol.Diagnostic) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			break // the log has no more for now
		}
		if step, is := event.(protocol.LifecycleEvent); is && step.Step == protocol.StepFiles {
			last = step.Diagnostics
		}
	}
	return last
}

// runs returns what run prints of a folder with these files.
func runs(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	texts = maps.Clone(texts)
	texts["/package.json"], texts["/bellglass-lock.json"] = string(starter.Manifest), string(starter.Lock)
	texts["/main.mjs"] = "export default 'ran'"
	for path, text := range texts {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	browser, err := chromium.Find()
	if err != nil {
		t.Fatal(err)
	}
	got := command.Run(t, "run", "--browser", browser, dir)
	if got.Stdout != "\"ran\"\n" {
		t.Errorf("run prints %q, and %s", got.Stdout, got.Stderr)
	}
	return got.Stderr
}
