package compile_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/vfs"
)

// library has two packages. Like others, it makes all modules that it is asked for, or none.
type library struct{ asked []string }

var shelf = map[string]string{
	"react":             "/node_modules/.bellglass/react@1/index.js",
	"react/jsx-runtime": "/node_modules/.bellglass/react@1/jsx-runtime.js",
	"katex/style.css":   "/node_modules/.bellglass/katex@1/style.css",
}

func (l *library) Bundle(_ context.Context, specifiers ...string) error {
	l.asked = append(l.asked, specifiers...)
	for _, specifier := range specifiers {
		if shelf[specifier] == "" {
			return errors.New("nobody has " + specifier)
		}
	}
	return nil
}

func (l *library) Resolve(specifier string) (string, bool) {
	path, ok := shelf[specifier]
	return path, ok && slices.Contains(l.asked, specifier)
}

func (l *library) Files() map[string][]byte {
	files := map[string][]byte{}
	for _, specifier := range l.asked {
		if path := shelf[specifier]; path != "" {
			files[path] = []byte(specifier)
		}
	}
	return files
}

func TestPackages(t *testing.T) {
	files, err := vfs.NewStore(1<<20).Snapshot(map[string][]byte{
		"/main.tsx":  []byte("import { useState } from 'react'; import 'katex/style.css'; export default <p>{useState}</p>"),
		"/plain.js":  []byte("import { useState } from 'react'; useState"),
		"/other.ts":  []byte("import x from 'left-pad'; x"),
		"/mapped.ts": []byte("import x from 'mapped'; x"),
		"/page.html": []byte(`<script type="importmap">{ "imports": { "mapped": "/m.js" } }</script>`),
	}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	packages := &library{}
	r, err := compile.New(compile.InProcess{}).Compile(t.Context(), compile.Input{Files: files, Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	if lines := mistakes(r); len(lines) != 1 || lines[0] != "error /other.ts:1:15: nobody has left-pad" {
		t.Errorf("the diagnostics are %q", lines)
	}
	main := served(t, r, compile.ScriptPath("/main.tsx"))
	for _, want := range []string{shelf["react"], shelf["react/jsx-runtime"], shelf["katex/style.css"]} {
		if !strings.Contains(main, `"`+want+`"`) {
			t.Errorf("/main.tsx imports not %s:\n%s", want, main)
		}
		if served(t, r, want) == "" {
			t.Errorf("%s is not served", want)
		}
	}
	if plain := served(t, r, compile.ScriptPath("/plain.js")); !strings.Contains(plain, shelf["react"]) {
		t.Errorf("/plain.js is\n%s", plain)
	}
	if style := served(t, r, compile.ScriptPath(shelf["katex/style.css"])); !strings.Contains(style, "stylesheet") {
		t.Errorf("the module of a package's style sheet is\n%s", style)
	}
	if slices.Contains(packages.asked, "mapped") {
		t.Error("a package was asked for that an import map names")
	}
}

// emptyLibrary has no package, and knows that one specifier fails alone, too.
type emptyLibrary struct {
	library
	calls  [][]string
	cancel func()
}

type failure struct{ error }

func (failure) Fails(specifier string) bool { return specifier == "slow" }

func (l *emptyLibrary) Bundle(_ context.Context, specifiers ...string) error {
	l.calls = append(l.calls, specifiers)
	if l.cancel != nil {
		l.cancel()
	}
	return failure{errors.New("it takes too long")}
}

// A specifier that is known to fail is not bundled alone, and after the context is done none is.
func TestKnownFailures(t *testing.T) {
	files, err := vfs.NewStore(1<<20).Snapshot(map[string][]byte{"/main.ts": []byte("import 'slow'; import 'other'")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for _, row := range []struct {
		packages *emptyLibrary
		calls    int
	}{{&emptyLibrary{}, 2}, {&emptyLibrary{cancel: cancel}, 1}} {
		r, err := compile.New(compile.InProcess{}).Compile(ctx, compile.Input{Files: files, Packages: row.packages})
		if err != nil {
			t.Fatal(err)
		}
		if len(row.packages.calls) != row.calls || row.calls == 2 && !slices.Equal(row.packages.calls[1], []string{"other"}) {
			t.Errorf("the calls are %q", row.packages.calls)
		}
		if lines := mistakes(r); len(lines) != 2 || !strings.Contains(lines[0], "it takes too long") {
			t.Errorf("the diagnostics are %q", lines)
		}
	}
}
