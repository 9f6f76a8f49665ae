// Package commonjs finds the names that a CommonJS module exports, without running it.
//
// A caller wants [Analyze].
//
// An ES module that imports { useState } from "react" needs a module that declares useState,
// but a CommonJS module makes its exports when it runs. Running it to look would let code of
// strangers use this process's time and memory. So the analysis reads the code: it follows
// which objects a variable, parameter, property, or result can be, and collects the properties
// of all objects that module.exports can be. This finds the exports of
//
//   - assignments: exports.a = …, module.exports = { a, b }, Object.defineProperty
//   - modules that pass on others: module.exports = require("./cjs/react.production.js")
//   - what TypeScript, Babel, SWC, esbuild, and webpack make of ES modules
//   - wrappers for several module systems (UMD), also minified ones
//
// The analysis ignores the order of statements and most conditions, so it can find too many
// names. These are undefined when somebody imports them, as in CommonJS. It misses exports
// whose names are computed; they are properties of the default export.
package commonjs

import (
	"fmt"
	"slices"

	"github.com/dop251/goja/parser"
)

// A Module is what a CommonJS module exports.
type Module struct {
	Names     []string // sorted, without "default" and "__esModule"
	Reexports []string // specifiers of modules whose exports are exports of this one, sorted
}

// maxSteps bounds the analysis. The largest packages take a hundredth of it; a module that takes
// more has a default export alone.
const maxSteps = 5_000_000

// Analyze reads a module. The source must have no syntax later than ES2017, except BigInt,
// and constants such as process.env.NODE_ENV must be literals.
func Analyze(name, source string) (m Module, err error) {
	program, err := parser.ParseFile(nil, name, source, parser.IgnoreRegExpErrors, parser.WithDisableSourceMaps)
	if err != nil {
		return Module{}, fmt.Errorf("cannot read %s as CommonJS: %w", name, err)
	}
	a := newAnalysis()
	a.declareAll(program.DeclarationList, program.Body, a.top)
	for _, s := range program.Body {
		a.walk(s, a.top, nil)
	}
	if !a.solve() {
		return Module{}, fmt.Errorf("%s is too entangled to find its exports", name)
	}
	return a.exports(), nil
}

// An object is an object literal, a function, or another thing with properties.
type object struct {
	properties map[string]*value // also those that are only read
	named      map[string]bool   // those that are assigned
	function   *function
	required   string // the specifier, if it is what require returns
	spread     map[*value]bool
}

// A function's parameters and results connect its calls with its body. The body is read at the
// first call: most functions of a module are not called while it makes its exports.
type function struct {
	parameters []*value
	result     *value
	this       *value
	body       func() // nil once it has been read
}

// enter reads the body, if that has not happened yet.
func (f *function) enter() {
	if body := f.body; body != nil {
		f.body = nil
		body()
	}
}

// A value is the set of objects that an expression can be.
type value struct {
	objects map[*object]bool
	to      map[*value]bool // values that have all objects of this one, too
	hear    []func(*object) // called once for each object
}

func newValue(objects ...*object) *value {
	v := &value{objects: map[*object]bool{}}
	for _, o := range objects {
		v.objects[o] = true
	}
	return v
}

// property returns the value of a property, which it creates.
func (o *object) property(name string) *value {
	if o.properties == nil {
		o.properties = map[string]*value{}
	}
	if o.properties[name] == nil {
		o.properties[name] = newValue()
	}
	return o.properties[name]
}

// assigned is property for one that is an export if the object is exported.
func (o *object) assigned(name string) *value {
	if o.named == nil {
		o.named = map[string]bool{}
	}
	o.named[name] = true
	return o.property(name)
}

// An analysis connects values while it walks the program. Each new object of a value is a step
// that waits in a queue, until no value gets another one.
type analysis struct {
	top    *scope
	module *object
	queue  []step
}

type step struct {
	to *value
	o  *object
}

func newAnalysis() *analysis {
	a := &analysis{top: &scope{names: map[string]*value{}}}
	exports := &object{}
	a.module = &object{}
	a.module.property("exports").objects[exports] = true
	a.top.names["module"] = newValue(a.module)
	a.top.names["exports"] = newValue(exports)
	a.top.this = newValue(exports)
	return a
}

// flow makes each object of from one of to.
func (a *analysis) flow(from, to *value) {
	if from == nil || to == nil || from == to || from.to[to] {
		return
	}
	if from.to == nil {
		from.to = map[*value]bool{}
	}
	from.to[to] = true
	for o := range from.objects {
		a.queue = append(a.queue, step{to, o})
	}
}

// each calls do for each object of a value, also for those that it gets later.
func each(v *value, do func(*object)) {
	if v == nil {
		return
	}
	v.hear = append(v.hear, do)
	known := make([]*object, 0, len(v.objects))
	for o := range v.objects {
		known = append(known, o)
	}
	for _, o := range known {
		do(o)
	}
}

// solve takes all steps. It reports false if they are too many.
func (a *analysis) solve() bool {
	for count := 0; len(a.queue) > 0; count++ {
		if count > maxSteps {
			return false
		}
		next := a.queue[len(a.queue)-1]
		a.queue = a.queue[:len(a.queue)-1]
		if next.to.objects[next.o] {
			continue
		}
		next.to.objects[next.o] = true
		for to := range next.to.to {
			a.queue = append(a.queue, step{to, next.o})
		}
		for _, do := range next.to.hear {
			do(next.o)
		}
	}
	return true
}

// load returns the value of base.name.
func (a *analysis) load(base *value, name string) *value {
	if base == nil {
		return nil
	}
	result := newValue()
	each(base, func(o *object) { a.flow(o.property(name), result) })
	return result
}

// store assigns to base.name.
func (a *analysis) store(base *value, name string, from *value) {
	each(base, func(o *object) { a.flow(from, o.assigned(name)) })
}

// spread gives the objects of base the properties of those of from.
func (a *analysis) spread(base, from *value) {
	if from == nil {
		return
	}
	each(base, func(o *object) {
		if o.spread == nil {
			o.spread = map[*value]bool{}
		}
		o.spread[from] = true
	})
}

// callback reads the functions of a value, which somebody unknown may call.
func (a *analysis) callback(v *value) {
	each(v, func(o *object) {
		if o.function != nil {
			o.function.enter()
		}
	})
}

// call connects arguments with parameters, and results with the returned value.
func (a *analysis) call(callee, this *value, arguments []*value) *value {
	if callee == nil {
		return nil
	}
	result := newValue()
	each(callee, func(o *object) {
		f := o.function
		if f == nil {
			return
		}
		f.enter()
		for i, p := range f.parameters {
			if i < len(arguments) {
				a.flow(arguments[i], p)
			}
		}
		a.flow(this, f.this)
		a.flow(f.result, result)
	})
	return result
}

// exports collects the properties of what module.exports can be.
func (a *analysis) exports() (m Module) {
	names, modules, seen := map[string]bool{}, map[string]bool{}, map[*object]bool{}
	var visit func(v *value)
	visit = func(v *value) {
		for o := range v.objects {
			if seen[o] {
				continue
			}
			seen[o] = true
			if o.required != "" {
				modules[o.required] = true
			}
			for name := range o.named {
				if name != "default" && name != "__esModule" && name != "__proto__" && (o.function == nil || name != "prototype") {
					names[name] = true
				}
			}
			for from := range o.spread {
				visit(from)
			}
		}
	}
	visit(a.module.property("exports"))
	for name := range names {
		m.Names = append(m.Names, name)
	}
	for specifier := range modules {
		m.Reexports = append(m.Reexports, specifier)
	}
	slices.Sort(m.Names)
	slices.Sort(m.Reexports)
	return m
}
