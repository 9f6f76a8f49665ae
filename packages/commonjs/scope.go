package commonjs

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// A scope has the variables of a function. Those of its blocks count as the function's, which
// can only find too much.
type scope struct {
	names map[string]*value
	this  *value
	outer *scope
}

func (s *scope) lookup(name string) *value {
	for ; s != nil; s = s.outer {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

func (s *scope) declare(name string) *value {
	if s.names[name] == nil {
		s.names[name] = newValue()
	}
	return s.names[name]
}

// declareAll declares the variables, functions, and classes of a body before it is walked,
// because code can use them before their declaration.
func (a *analysis) declareAll(variables []*ast.VariableDeclaration, body []ast.Statement, s *scope) {
	for _, d := range variables {
		for _, b := range d.List {
			declareTarget(b.Target, s)
		}
	}
	for _, statement := range body {
		declareLexical(reflect.ValueOf(statement), s)
	}
}

// declareTarget declares the names in an identifier or a pattern.
func declareTarget(target ast.Expression, s *scope) {
	switch t := target.(type) {
	case *ast.Identifier:
		s.declare(t.Name.String())
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				s.declare(p.Name.Name.String())
			case *ast.PropertyKeyed:
				declareTarget(p.Value, s)
			}
		}
		declareTarget(t.Rest, s)
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			declareTarget(e, s)
		}
		declareTarget(t.Rest, s)
	case *ast.AssignExpression: // a default
		declareTarget(t.Left, s)
	}
}

// declareLexical declares what statements and blocks below a node declare, but not what other
// functions do.
func declareLexical(v reflect.Value, s *scope) {
	switch node := v.Interface().(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return
	case *ast.FunctionDeclaration:
		if node.Function.Name != nil {
			s.declare(node.Function.Name.Name.String())
		}
		return
	case *ast.ClassDeclaration:
		if node.Class.Name != nil {
			s.declare(node.Class.Name.Name.String())
		}
		return
	case *ast.LexicalDeclaration:
		for _, b := range node.List {
			declareTarget(b.Target, s)
		}
	case *ast.CatchStatement:
		declareTarget(node.Parameter, s)
	case *ast.ForDeclaration:
		declareTarget(node.Target, s)
	case ast.Expression:
		return // declares nothing
	}
	children(v, func(child reflect.Value) { declareLexical(child, s) })
}

var nodeType = reflect.TypeFor[ast.Node]()

// children calls visit with each node directly below a node. Reading the fields by reflection
// covers every kind of node, also those that a later parser has.
func children(v reflect.Value, visit func(reflect.Value)) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if name == "DeclarationList" || !v.Type().Field(i).IsExported() {
			continue // declarations a second time
		}
		nodesIn(v.Field(i), visit)
	}
}

// nodesIn calls visit with a field that is a node, or with the nodes of a list.
func nodesIn(field reflect.Value, visit func(reflect.Value)) {
	switch field.Kind() {
	case reflect.Slice:
		for i := range field.Len() {
			nodesIn(field.Index(i), visit)
		}
	case reflect.Interface, reflect.Pointer:
		if field.IsNil() {
			return
		}
		if field.Kind() == reflect.Interface {
			field = field.Elem()
			if field.Kind() == reflect.Pointer && field.IsNil() {
				return
			}
		}
		if field.Type().Implements(nodeType) {
			visit(field)
		}
	case reflect.Struct:
		if field.CanAddr() && reflect.PointerTo(field.Type()).Implements(nodeType) {
			visit(field.Addr())
		}
	}
}
