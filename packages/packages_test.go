package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/registrytest"
)

type pkg = registrytest.Package

// keys are further keys of package.json.
type keys = map[string]any

// options returns options for a registry, with a cache of its own.
func options(t *testing.T, r *registrytest.Registry) Options {
	t.Helper()
	config := &npm.Config{}
	if err := config.SetRegistry(r.URL, "the test"); err != nil {
		t.Fatal(err)
	}
	return Options{Cache: t.TempDir(), Config: config, Pause: time.Nanosecond}
}

// react is what a framework of two packages looks like in a registry.
func react(version string) []pkg {
	builds := func(name, code string) map[string]string {
		return map[string]string{
			"index.js":                        "'use strict';\nif (process.env.NODE_ENV === 'production') {\n  module.exports = require('./cjs/" + name + ".production.js');\n} else {\n  module.exports = require('./cjs/" + name + ".development.js');\n}\n",
			"cjs/" + name + ".production.js":  code,
			"cjs/" + name + ".development.js": code + "\nexports.development = true",
		}
	}
	dom := builds("dom", "var React = require('react'); exports.react = React; exports.createPortal = function () { return React.useState() + '!' }")
	dom["client.js"] = "var dom = require('react-dom'); exports.createRoot = function () { return dom.createPortal() }; exports.same = dom"
	return []pkg{
		{Name: "react", Version: version, Files: builds("react", "var n = 0; exports.useState = function () { return 'state ' + ++n }; exports.version = '"+version+"'"), Manifest: keys{"main": "index.js", "exports": keys{".": keys{"react-server": "./no.js", "default": "./index.js"}, "./package.json": "./package.json"}}},
		{Name: "react-dom", Version: version, Files: dom, Manifest: keys{"peerDependencies": keys{"react": "^" + version}, "exports": keys{".": "./index.js", "./client": "./client.js"}}},
	}
}

// loadAll loads dependencies, written as "name range name range".
func loadAll(t *testing.T, o Options, dependencies ...string) (*Set, error) {
	t.Helper()
	return Load(t.Context(), Request{Dependencies: pairs(dependencies...)}, o)
}

func pairs(list ...string) map[string]string {
	all := map[string]string{}
	for pair := range slices.Chunk(list, 2) {
		all[pair[0]] = pair[1]
	}
	return all
}

// bundled loads and bundles, and fails the test if it cannot.
func bundled(t *testing.T, o Options, dependencies []string, specifiers ...string) *Set {
	t.Helper()
	set, err := loadAll(t, o, dependencies...)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Bundle(t.Context(), specifiers...); err != nil {
		t.Fatal(err)
	}
	return set
}

// runs writes the files of a set to disk and runs a module there. Each import of a specifier
// in it becomes an import of the resolved path. It returns what the module prints.
func runs(t *testing.T, set *Set, module string) string {
	t.Helper()
	dir := filepath.ToSlash(t.TempDir())
	here := func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(Prefix), []byte("file://"+dir+"/"))
	}
	for name, content := range set.Files() {
		at := filepath.Join(dir, strings.TrimPrefix(name, Prefix))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, here(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for specifier, path := range set.Imports() {
		for _, quote := range []string{"'", `"`} {
			module = strings.ReplaceAll(module, quote+specifier+quote, quote+path+quote)
		}
	}
	files := map[string]string{"package.json": `{"type": "module"}`, "main.mjs": string(here([]byte(module)))}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "node", filepath.Join(dir, "main.mjs")).CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// Names of CommonJS can be imported, and a package exists once, whoever imports it.
func TestFramework(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, react("19.2.0")...)
	set := bundled(t, options(t, r), []string{"react", "^19.0.0", "react-dom", "^19.0.0"}, "react", "react-dom/client", "react-dom")
	for specifier, want := range map[string]string{
		"react": "/node_modules/.bellglass/react@19.2.0/index.js", "react-dom": "/node_modules/.bellglass/react-dom@19.2.0/index.js", "react-dom/client": "/node_modules/.bellglass/react-dom@19.2.0/client.js",
	} {
		path, ok := set.Resolve(specifier)
		if !ok || path != want || set.Files()[path] == nil || set.Imports()[specifier] != want {
			t.Errorf("%s is %q, %v", specifier, path, ok)
		}
	}
	if path, ok := set.Resolve("react/jsx-runtime"); ok {
		t.Errorf("what nobody asked for is %s", path)
	}
	got := runs(t, set, `import { useState, version } from 'react'
import React from 'react'
import { createRoot, same } from 'react-dom/client'
import { createPortal, react } from 'react-dom'
import * as all from 'react'
console.log(version, useState(), createRoot(), createPortal(), React.useState === useState, react === React, same.react === React, 'development' in all)`)
	if got != "19.2.0 state 1 state 2! state 3! true true true false" {
		t.Errorf("it prints %q", got)
	}
	if v := set.Dependencies(); v["react"] != "19.2.0" || v["react-dom"] != "19.2.0" {
		t.Errorf("the versions are %v", v)
	}
}

func TestDevelopment(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, react("19.2.0")...)
	o := options(t, r)
	o.Development = true
	if got := runs(t, bundled(t, o, []string{"react", "*"}, "react"), `import { development } from 'react'; console.log(development)`); got != "true" {
		t.Errorf("it prints %q", got)
	}
}

// Forms in which packages come.
func TestForms(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t,
		pkg{Name: "esm", Version: "1.0.0", Manifest: keys{"module": "./m.js", "main": "./no.js"}, Files: map[string]string{"m.js": "export * from './x'; export default 'd'", "x.js": "export const x = 'esm'"}},
		pkg{Name: "dual", Version: "1.0.0", Manifest: keys{"type": "module", "exports": json.RawMessage(`{".": {"types": "./no.d.ts", "node": "./no.js", "import": {"production": "./p.js", "default": "./d.js"}, "require": "./no.cjs"}}`)}, Files: map[string]string{"p.js": "export const mode = 'production'", "d.js": "export const mode = 'no'"}},
		pkg{Name: "@scope/pattern", Version: "1.0.0", Manifest: keys{"exports": keys{"./*": "./src/*.js", "./deep/*": "./src/deep/*", "./private/*": nil, "./data": "./data.json"}}, Files: map[string]string{"src/a.js": "export const a = 'pattern'", "src/deep/b.js": "export const b = 'deep'", "src/private/c.js": "", "data.json": `{"v": 7}`}},
		pkg{Name: "browser", Version: "1.0.0", Manifest: keys{"main": "./index.js", "browser": keys{"./server.js": "./client.js", "fs": false, "other": "./shim.js", "./gone.js": false}}, Files: map[string]string{"index.js": "exports.where = require('./server'); exports.fs = Object.keys(require('fs')).length; exports.shim = require('other'); exports.gone = Object.keys(require('./gone')).length", "server.js": "module.exports = 'server'", "client.js": "module.exports = 'client'", "shim.js": "module.exports = 'shim'", "gone.js": "module.exports = {a: 1}"}},
		pkg{Name: "browser-main", Version: "1.0.0", Manifest: keys{"main": "./no.js", "browser": "./umd.js"}, Files: map[string]string{"umd.js": "(function (g, f) { typeof exports === 'object' && typeof module !== 'undefined' ? f(exports) : f(g.U = {}) })(this, function (exports) { exports.u = 'umd' })"}},
		pkg{Name: "browser-umd", Version: "1.0.0", Manifest: keys{"main": "./no.js", "module": "./m.js", "browser": "./umd.js"}, Files: map[string]string{"umd.js": "exports.from = 'umd'", "m.js": "export const from = 'module'"}},
		pkg{Name: "browser-esm", Version: "1.0.0", Manifest: keys{"main": "./no.js", "module": "./m.js", "browser": "./b.js"}, Files: map[string]string{"b.js": "export const from = 'browser'", "m.js": "export const from = 'module'"}},
		pkg{Name: "imports", Version: "1.0.0", Manifest: keys{"type": "module", "exports": "./index.js", "imports": keys{"#inner": keys{"node": "./no.js", "default": "./inner.js"}, "#dep": "esm"}, "dependencies": keys{"esm": "1"}}, Files: map[string]string{"index.js": "import { i } from '#inner'; import { x } from '#dep'; import * as me from 'imports'; export const all = i + x; export const self = () => me.all", "inner.js": "export const i = 'inner '"}},
		pkg{Name: "old-esm", Version: "1.0.0", Manifest: keys{"main": "./lib"}, Files: map[string]string{"lib/index.js": "exports.__esModule = true; exports.default = 'the default'; exports.named = 1"}},
		pkg{Name: "globals", Version: "1.0.0", Files: map[string]string{"index.js": "exports.same = global === globalThis; exports.mode = process.env.NODE_ENV; exports.env = typeof process.env.OTHER"}},
		pkg{Name: "requires-esm", Version: "1.0.0", Manifest: keys{"dependencies": keys{"esm": "1"}}, Files: map[string]string{"index.js": "var e = require('esm'); exports.x = e.x; exports.d = e.default; exports.es = e.__esModule"}},
		pkg{Name: "lazy", Version: "1.0.0", Manifest: keys{"main": "index.mjs"}, Files: map[string]string{"index.mjs": "export const later = () => import('./later.mjs')", "later.mjs": "export const l = 'later'"}},
		pkg{Name: "node-only", Version: "1.0.0", Files: map[string]string{"index.js": "var fs = require('node:fs'); var path = require('path'); exports.read = function () { return fs.readFileSync('x') }; exports.fine = 'fine'; try { require('not-there') } catch (e) { exports.code = e.code }"}},
		pkg{Name: "class", Version: "1.0.0", Files: map[string]string{"index.js": "module.exports = class Thing { static of() { return 'of' } }"}},
		pkg{Name: "reserved", Version: "1.0.0", Files: map[string]string{"index.js": "exports.delete = 1; exports['not an identifier'] = 2; exports.default = 3; exports.ünï = 4"}},
		pkg{Name: "passes-on", Version: "1.0.0", Manifest: keys{"dependencies": keys{"old-esm": "1", "class": "1"}}, Files: map[string]string{"index.js": "module.exports = require('old-esm')"}},
	)
	o := options(t, r)
	all := []string{"esm", "1", "dual", "1", "@scope/pattern", "1", "browser", "1", "browser-main", "1", "browser-umd", "1", "browser-esm", "1", "imports", "1", "old-esm", "1", "globals", "1", "requires-esm", "1", "lazy", "1", "node-only", "1", "class", "1", "reserved", "1", "passes-on", "1"}
	for _, test := range []struct {
		module, want string
	}{
		{`import d, { x } from 'esm'; console.log(x, d)`, "esm d"},
		{`import { mode } from 'dual'; console.log(mode)`, "production"},
		{`import { a } from '@scope/pattern/a'; import { b } from '@scope/pattern/deep/b.js'; import data from '@scope/pattern/data'; console.log(a, b, data.v)`, "pattern deep 7"},
		{`import { where, fs, shim, gone } from 'browser'; console.log(where, fs, shim, gone)`, "client 0 shim 0"},
		{`import { u } from 'browser-main'; console.log(u)`, "umd"},
		{`import { from as umd } from 'browser-umd'; import { from } from 'browser-esm'; console.log(umd, from)`, "module browser"},
		{`import { all, self } from 'imports'; console.log(self())`, "inner esm"},
		{`import d, { named } from 'old-esm'; console.log(d, named)`, "the default 1"},
		{`import { same, mode, env } from 'globals'; console.log(same, mode, env)`, "true production undefined"},
		{`import { x, d, es } from 'requires-esm'; console.log(x, d, es)`, "esm d true"},
		{`import { later } from 'lazy'; console.log((await later()).l)`, "later"},
		{`import { read, fine, code } from 'node-only'; try { read() } catch (e) { console.log(fine, code, e.message) }`, "fine MODULE_NOT_FOUND node-only@1.0.0 uses the module node:fs of Node.js, which browsers lack (readFileSync)"},
		{`import Thing, { of } from 'class'; console.log(of(), new Thing() instanceof Thing)`, "of true"},
		{`import three, { delete as one, ünï } from 'reserved'; console.log(one, three.default, ünï)`, "1 3 4"},
		{`import d, { named } from 'passes-on'; console.log(d, named)`, "the default 1"},
	} {
		var specifiers []string
		for part := range strings.SplitSeq(test.module, "from '") {
			if specifier, _, ok := strings.Cut(part, "'"); ok && !strings.Contains(specifier, " ") {
				specifiers = append(specifiers, specifier)
			}
		}
		t.Run(specifiers[0], func(t *testing.T) {
			set, err := loadAll(t, o, all...)
			if err != nil {
				t.Fatal(err)
			}
			if err := set.Bundle(t.Context(), specifiers...); err != nil {
				t.Fatal(err)
			}
			if got := runs(t, set, test.module); got != test.want {
				t.Errorf("%s prints %q, want %q\nnotes: %q", test.module, got, test.want, set.Notes())
			}
		})
	}
}
