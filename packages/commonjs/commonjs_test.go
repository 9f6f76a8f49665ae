package commonjs

import (
	"slices"
	"strings"
	"testing"
)

// Each row is a form in which modules make their exports.
func TestAnalyze(t *testing.T) {
	for _, test := range []struct {
		name, source string
		names        string
		reexports    string
	}{
		{"nothing", ``, "", ""},
		{"assignments", `exports.a = 1; module.exports.b = function () {}; exports['c'] = 2; this.d = 3`, "a b c d", ""},
		{"an object", `const a = 1; module.exports = { a, b: 2, 'c-d': 3, e() {}, get f() { return 1 } }`, "a b c-d e f", ""},
		{"the name of ES modules", `exports.__esModule = true; exports.default = 1; exports.a = 2`, "a", ""},
		{"a variable", `var X = module.exports = {}; X.a = 1; X.b = X.a`, "a b", ""},
		{"an object of another scope", `var x = {}; function f() { var x = {}; x.no = 1 } x.yes = 1; module.exports = x`, "yes", ""},
		{"what is replaced", `var other = { no: 1 }; module.exports = { yes: 1 }`, "yes", ""},
		{"a function with properties", `function f() {} f.a = 1; f.prototype.no = 2; module.exports = f`, "a", ""},
		{"a class", `class C { static a() {} static b = 1; no() {} } module.exports = C`, "a b", ""},
		{"defineProperty", `Object.defineProperty(exports, "__esModule", { value: true }); Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return x.a } })`, "a", ""},
		{"passing on", `module.exports = require('./x')`, "", "./x"},
		{"a build for production", `if ("production" === "production") { module.exports = require('./p') } else { module.exports = require('./d') }`, "", "./p"},
		{"the same, negated", `if ("production" !== "production") { exports.no = 1 }
			if (!("production" === "production")) { exports.no = 1 }
			module.exports = "production" === "production" ? require('./p') : require('./d')`, "", "./p"},
		{"a require of somebody else", `function f(require) { module.exports = require('./x') }`, "", ""},
		{"a module's part", `exports.a = require('./x').a`, "a", ""},
		{"destructuring", `const { a, b: c } = { a: { x: 1 }, b: { y: 1 } }; module.exports = { ...a, ...c }`, "x y", ""},
		{"spread", `module.exports = { ...require('./x'), a: 1 }`, "a", "./x"},
		{"Object.assign", `module.exports = Object.assign({ a: 1 }, require('./x'), { b: 1 })`, "a b", "./x"},
		{"frozen", `module.exports = Object.freeze({ a: 1 })`, "a", ""},
		{"chained", `exports.a = exports.b = void 0; exports.a = 1`, "a b", ""},
		{"optional", `globalThis?.process?.no; exports.a = 1`, "a", ""},
		{"later syntax", `async function f() { await 1 } class A { #p = 1; get p() { return this.#p ?? 1n } } exports.f = f`, "f", ""},
		{"TypeScript", `var __exportStar = (this && this.__exportStar) || function (m, exports) { for (var p in m) if (p !== "default") __createBinding(exports, m, p); };
			__exportStar(require("./a"), exports); tslib_1.__exportStar(require("./b"), exports)`, "", "./a ./b"},
		{"Babel", `var _x = require("./x"); Object.keys(_x).forEach(function (key) { Object.defineProperty(exports, key, { get: function () { return _x[key]; } }) })`, "", "./x"},
		{"SWC", `function _export(target, all) { for (var name in all) Object.defineProperty(target, name, { get: all[name] }) } _export(exports, { a: function () { return a }, b: function () { return b } }); _export_star(require("./x"), exports)`, "a b", "./x"},
		{"esbuild", `var __defProp = Object.defineProperty; var __export = (target, all) => { for (var name in all) __defProp(target, name, { get: all[name], enumerable: true }) };
			var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);
			var src_exports = {}; __export(src_exports, { a: () => a, b: () => b }); module.exports = __toCommonJS(src_exports);
			__reExport(src_exports, require("./x"), module.exports)`, "a b", "./x"},
		{"an annotation for readers", `0 && (module.exports = { a, b, ...require("./x") })`, "a b", "./x"},
		{"UMD with exports", `(function (global, factory) { typeof exports === 'object' && typeof module !== 'undefined' ? factory(exports) : factory(global.L = {}) })(this, (function (exports) { 'use strict'; exports.a = 1; exports.b = 2 }))`, "a b", ""},
		{"UMD with a result", `!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():e.dayjs=t()}(this,function(){"use strict";var r=function(t){},o={};return o.no=1,r.extend=function(){},r.locale=1,r})`, "extend locale", ""},
		{"UMD with this", `(function(root, factory) { if (typeof define === 'function' && define.amd) define([], factory); else if (typeof module === 'object' && typeof exports !== 'undefined') module.exports = factory(); else root.Papa = factory() }(this, function f() { var Papa = {}; Papa.parse = 1; Papa.unparse = 2; return Papa }))`, "parse unparse", ""},
		{"webpack", `(() => { var __webpack_modules__ = { 1: (m) => {} }; var n = {}; n.d = (exports, definition) => { for (var key in definition) {} }; var r = {}; n.d(r, { a: () => x, b: () => y }); module.exports = r })()`, "a b", ""},
		{"webpack's older modules", `(function (root, factory) { if (typeof exports === 'object' && typeof module === 'object') module.exports = factory(); else root["Matter"] = factory() })(this, function() { return (function(modules) { var installed = {}; function load(id) { if (installed[id]) return installed[id].exports; var module = installed[id] = { i: id, exports: {} }; modules[id].call(module.exports, module, module.exports, load); return module.exports } return load(load.s = 0) })([ (function(module, exports, load) { var M = {}; module.exports = M; M.Engine = load(1) }), (function(module, exports) { exports.other = 1 }) ]) })`, "Engine other", ""},
		{"lodash", `;(function() { var freeExports = typeof exports == 'object' && exports && !exports.nodeType && exports;
			var freeModule = freeExports && typeof module == 'object' && module && !module.nodeType && module;
			var runInContext = (function runInContext(context) { function lodash(value) {} lodash.debounce = 1; lodash.map = 2; return lodash });
			var _ = runInContext();
			if (typeof define == 'function') {} else if (freeModule) { (freeModule.exports = _)._ = _; freeExports._ = _; } else { root._ = _ } }.call(this))`, "_ debounce map", ""},
		{"recursion", `function f(x) { return f(x) || x } module.exports = f(f); module.exports.a = module.exports`, "a", ""},
	} {
		m, err := Analyze(test.name, test.source)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if !slices.Equal(m.Names, strings.Fields(test.names)) || !slices.Equal(m.Reexports, strings.Fields(test.reexports)) {
			t.Errorf("%s: names %q, reexports %q; want %q, %q", test.name, m.Names, m.Reexports, test.names, test.reexports)
		}
	}
}

func TestAnalyzeRejectsWhatItCannotRead(t *testing.T) {
	for _, source := range []string{"import x from 'y'", "export {}", "var = 1"} {
		if m, err := Analyze("x.js", source); err == nil || !strings.Contains(err.Error(), "x.js") {
			t.Errorf("%s: %+v, %v", source, m, err)
		}
	}
}

// No program makes the analysis fail or run for long.
func FuzzAnalyze(f *testing.F) {
	f.Add(`exports.a = 1`)
	f.Add(`(function(e,t){t(e)})(exports, function(x) { x.a = class { static { this.b = 1 } } })`)
	f.Add("var {a, ...b} = require('x'), [c = 1] = b; for (const k of a) exports[k] = `${k}`")
	f.Fuzz(func(t *testing.T, source string) {
		m, err := Analyze("x.js", source)
		if err == nil && !slices.IsSorted(m.Names) {
			t.Errorf("not sorted: %q", m.Names)
		}
	})
}
