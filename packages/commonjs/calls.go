package commonjs

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
)

// Helpers of compilers, by their names. Minifiers keep those that are imported.
var (
	starHelpers   = []string{"__exportStar", "__export", "_export_star", "_exportStar", "__reExport"}
	exportHelpers = []string{"__export", "_export", "_export_"}
	sameHelpers   = []string{"__toCommonJS", "__toESM", "__importStar", "_interopRequireWildcard", "_interop_require_wildcard"}
)

// callExpression reads a call. Some functions are known by their names.
func (a *analysis) callExpression(n *ast.CallExpression, s *scope, f *function) *value {
	base, method := "", ""
	callee := n.Callee
	if optional, ok := callee.(*ast.Optional); ok {
		callee = optional.Expression
	}
	// A comma keeps a call from having a this: (0, helpers.__exportStar)(…).
	if list, ok := callee.(*ast.SequenceExpression); ok && len(list.Sequence) > 0 {
		callee = list.Sequence[len(list.Sequence)-1]
	}
	var this *value
	var of *value
	known := false // whether the callee's own code says what becomes of the arguments
	switch c := callee.(type) {
	case *ast.Identifier:
		method, of = c.Name.String(), s.lookup(c.Name.String())
		known = of != nil
	case *ast.DotExpression:
		method = c.Identifier.Name.String()
		if left, ok := c.Left.(*ast.Identifier); ok {
			base = left.Name.String()
		}
		this = a.eval(c.Left, s, f)
		of = a.load(this, method)
	default:
		_, known = c.(*ast.FunctionLiteral)
		of = a.eval(callee, s, f)
	}
	if method == "require" && base == "" && of == nil && len(n.ArgumentList) == 1 {
		if specifier, ok := text(n.ArgumentList[0]); ok {
			return newValue(&object{required: specifier})
		}
	}
	if base == "Object" && method == "keys" && len(n.ArgumentList) == 1 {
		// Object.keys(other).forEach(name => exports[name] = other[name])
		return newValue(&object{properties: map[string]*value{keysOf: a.eval(n.ArgumentList[0], s, f)}})
	}
	var arguments []*value
	for _, e := range n.ArgumentList {
		if spread, ok := e.(*ast.SpreadElement); ok {
			a.eval(spread.Expression, s, f)
			arguments = append(arguments, nil)
			continue
		}
		arguments = append(arguments, a.eval(e, s, f))
	}
	if !known {
		for _, v := range arguments {
			a.callback(v)
		}
	}
	argument := func(i int) *value {
		if i < len(arguments) {
			return arguments[i]
		}
		return nil
	}
	switch {
	case base == "Object" || base == "Reflect" || strings.HasPrefix(method, "__defProp"):
		return a.objectMethod(n, method, arguments)
	case method == "forEach" && this != nil:
		a.spread(a.top.exportsOf(), a.load(this, keysOf))
		return nil
	case slices.Contains(sameHelpers, method):
		return argument(0)
	case (slices.Contains(exportHelpers, method) || method == "d") && len(n.ArgumentList) >= 2:
		// __export(exports, { name: () => value }), and webpack's n.d(exports, …).
		if name, ok := text(n.ArgumentList[1]); ok {
			a.store(argument(0), name, nil)
		} else if _, ok := n.ArgumentList[1].(*ast.ObjectLiteral); ok {
			a.spread(argument(0), argument(1))
		} else if slices.Contains(starHelpers, method) {
			a.spread(argument(1), argument(0))
		}
		return argument(0)
	case method == "__reExport":
		a.spread(argument(0), argument(1))
		return argument(0)
	case slices.Contains(starHelpers, method):
		// An exported helper of older compilers has only the module as its argument.
		if len(arguments) == 1 {
			a.spread(a.top.exportsOf(), argument(0))
		}
		a.spread(argument(1), argument(0))
		return nil
	case method == "call" && this != nil && len(arguments) > 0:
		return a.call(this, arguments[0], arguments[1:])
	case method == "apply" && this != nil:
		return a.call(this, argument(0), nil)
	}
	return a.call(of, this, arguments)
}

// keysOf is the property of what Object.keys returns that has its argument. No property of a
// program has this name.
const keysOf = "\x00keys"

// exportsOf returns the module's original exports.
func (s *scope) exportsOf() *value { return s.names["exports"] }

// objectMethod reads a call of a method of Object.
func (a *analysis) objectMethod(n *ast.CallExpression, method string, arguments []*value) *value {
	if len(arguments) == 0 {
		return nil
	}
	switch {
	case (method == "defineProperty" || strings.HasPrefix(method, "__defProp")) && len(arguments) > 2:
		if name, ok := text(n.ArgumentList[1]); ok {
			held := newValue()
			a.flow(a.load(arguments[2], "value"), held)
			a.flow(a.call(a.load(arguments[2], "get"), nil, nil), held)
			a.store(arguments[0], name, held)
		}
	case method == "defineProperties" && len(arguments) > 1:
		a.spread(arguments[0], arguments[1])
	case method == "assign":
		for _, from := range arguments[1:] {
			a.spread(arguments[0], from)
		}
	case !slices.Contains([]string{"freeze", "seal", "preventExtensions", "create", "setPrototypeOf", "defineProperty"}, method) && !strings.HasPrefix(method, "__defProp"):
		return nil
	}
	return arguments[0]
}
