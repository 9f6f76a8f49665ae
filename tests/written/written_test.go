// Package written runs programs of the kind that models write, from their sources: TypeScript and
// JSX that import packages of npm.
//
// The programs are in the folder programs.
package written

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/components"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

func TestMain(m *testing.M) { os.Exit(glass.Main(m)) }

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Program</title><div id="root"></div><script type="module" src="%s"></script><script type="module" src="/checks.js"></script>`

// everywhere lists the programs that run in all engines: one for each way to write and import code.
// It leaves out cube: Firefox has no WebGL on a machine without a graphics card.
var everywhere = map[string]bool{"todo": true, "vue-cart": true, "preact-timer": true, "wireframe": true, "tailwind-card": true}

// Each program runs from its sources, without a registry, and shows what it expects.
func TestPrograms(t *testing.T) {
	t.Parallel()
	all, err := os.ReadDir("programs")
	if err != nil {
		t.Fatal(err)
	}
	g := glass.Start(t)
	for _, one := range all {
		for engine := range glass.Engines {
			if engine != "Chromium" && !everywhere[one.Name()] {
				continue
			}
			t.Run(one.Name()+"/"+engine, func(t *testing.T) {
				t.Parallel()
				texts, main := read(t, "programs/"+one.Name())
				run(t, g, engine, texts, main)
			})
		}
	}
}

// A project of 100 components runs from its sources in each engine.
func TestManyComponents(t *testing.T) {
	t.Parallel()
	project := components.Files(100)
	g := glass.Start(t)
	for engine := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			run(t, g, engine, project, components.Main)
		})
	}
}

// run runs a program in an engine, and checks it.
func run(t *testing.T, g *glass.Server, engine string, program map[string]string, main string) {
	t.Helper()
	set, _, err := packages.Starter(t.Context(), packages.Options{Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"/index.html": fmt.Sprintf(page, main), "/checks.js": checksOf(t, program[main])}
	for path, text := range program {
		texts[path] = text
	}
	policy := glass.BlockAll
	if own, is := program["/rules.yaml"]; is {
		policy = own
	}
	sandbox, err := g.Create(server.Spec{Files: g.Files(t, texts), Packages: set, Policy: glass.Parse(t, policy)})
	if err != nil {
		t.Fatal(err)
	}
	if found := sandbox.Diagnostics(); len(found) > 0 {
		t.Fatalf("the compiler says %+v", found)
	}
	glass.Engines[engine](t, sandbox.HostURL())
	events := g.Log(t, sandbox, func(e glass.Logged) bool { return strings.HasPrefix(e.Text, "checked: ") })
	if text := events[len(events)-1].Text; text != "checked: right" {
		t.Error(text)
		for _, e := range events {
			if e.Type == "error" || e.Type == "console" || e.Action == "block" {
				t.Logf("%s: %s %s", e.Type, e.Text, e.URL)
			}
		}
	}
}
