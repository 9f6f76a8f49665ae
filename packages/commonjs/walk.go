package commonjs

import (
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// walk reads a statement, or any other node that has no value.
func (a *analysis) walk(node ast.Node, s *scope, f *function) {
	switch n := node.(type) {
	case ast.Expression:
		a.eval(n, s, f)
	case *ast.FunctionDeclaration:
		v := a.functionValue(n.Function, s)
		if n.Function.Name != nil {
			a.flow(v, s.declare(n.Function.Name.Name.String()))
		}
	case *ast.ClassDeclaration:
		a.eval(n.Class, s, f)
	case *ast.VariableStatement:
		a.bindings(n.List, s, f)
	case *ast.LexicalDeclaration:
		a.bindings(n.List, s, f)
	case *ast.ReturnStatement:
		if v := a.eval(n.Argument, s, f); f != nil {
			a.flow(v, f.result)
		}
	case *ast.IfStatement:
		a.eval(n.Test, s, f)
		// The other branch is a development build, or for another module system.
		constant, known := s.constant(n.Test)
		if !known || constant {
			a.walk(n.Consequent, s, f)
		}
		if n.Alternate != nil && (!known || !constant) {
			a.walk(n.Alternate, s, f)
		}
	case nil:
	default:
		children(reflect.ValueOf(node), func(child reflect.Value) {
			if below, ok := child.Interface().(ast.Node); ok {
				a.walk(below, s, f)
			}
		})
	}
}

func (a *analysis) bindings(list []*ast.Binding, s *scope, f *function) {
	for _, b := range list {
		a.assign(b.Target, a.eval(b.Initializer, s, f), s, f)
	}
}

// assign gives a target a value.
func (a *analysis) assign(target ast.Expression, v *value, s *scope, f *function) {
	switch t := target.(type) {
	case *ast.Identifier:
		a.flow(v, s.lookup(t.Name.String()))
	case *ast.DotExpression:
		a.store(a.eval(t.Left, s, f), t.Identifier.Name.String(), v)
	case *ast.BracketExpression:
		base := a.eval(t.Left, s, f)
		if name, ok := text(t.Member); ok {
			a.store(base, name, v)
		} else {
			a.eval(t.Member, s, f)
		}
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				name := p.Name.Name.String()
				a.flow(a.load(v, name), s.lookup(name))
			case *ast.PropertyKeyed:
				if name, ok := text(p.Key); ok && !p.Computed {
					a.assign(p.Value, a.load(v, name), s, f)
				}
			}
		}
	case *ast.AssignExpression:
		a.assign(t.Left, v, s, f)
		a.assign(t.Left, a.eval(t.Right, s, f), s, f)
	}
}

// eval reads an expression and returns what it can be, or nil if that has no properties that
// matter.
func (a *analysis) eval(e ast.Expression, s *scope, f *function) *value {
	switch n := e.(type) {
	case nil:
		return nil
	case *ast.Identifier:
		return s.lookup(n.Name.String())
	case *ast.ThisExpression:
		return s.this
	case *ast.DotExpression:
		return a.load(a.eval(n.Left, s, f), n.Identifier.Name.String())
	case *ast.BracketExpression:
		base := a.eval(n.Left, s, f)
		if name, ok := text(n.Member); ok {
			return a.load(base, name)
		}
		a.eval(n.Member, s, f)
		return a.load(base, anyElement)
	case *ast.ArrayLiteral:
		own := &object{}
		for _, e := range n.Value {
			a.flow(a.eval(e, s, f), own.property(anyElement))
		}
		return newValue(own)
	case *ast.Optional:
		return a.eval(n.Expression, s, f)
	case *ast.OptionalChain:
		return a.eval(n.Expression, s, f)
	case *ast.AssignExpression:
		v := a.eval(n.Right, s, f)
		a.assign(n.Left, v, s, f)
		return v
	case *ast.SequenceExpression:
		var last *value
		for _, one := range n.Sequence {
			last = a.eval(one, s, f)
		}
		return last
	case *ast.ConditionalExpression:
		a.eval(n.Test, s, f)
		constant, known := s.constant(n.Test)
		result := newValue()
		if !known || constant {
			a.flow(a.eval(n.Consequent, s, f), result)
		}
		if !known || !constant {
			a.flow(a.eval(n.Alternate, s, f), result)
		}
		return result
	case *ast.BinaryExpression:
		left, right := a.eval(n.Left, s, f), a.eval(n.Right, s, f)
		switch n.Operator {
		case token.LOGICAL_AND: // also 0 && (module.exports = …), which is there to be read
			return right
		case token.LOGICAL_OR, token.COALESCE:
			result := newValue()
			a.flow(left, result)
			a.flow(right, result)
			return result
		}
		return nil
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		return a.functionValue(n, s)
	case *ast.ClassLiteral:
		return a.class(n, s, f)
	case *ast.ObjectLiteral:
		return a.objectLiteral(n, s, f)
	case *ast.CallExpression:
		return a.callExpression(n, s, f)
	case *ast.NewExpression:
		var arguments []*value
		for _, one := range n.ArgumentList {
			arguments = append(arguments, a.eval(one, s, f))
		}
		instance := newValue(&object{})
		a.call(a.eval(n.Callee, s, f), instance, arguments)
		return instance
	default:
		children(reflect.ValueOf(e), func(child reflect.Value) {
			if below, ok := child.Interface().(ast.Node); ok {
				a.walk(below, s, f)
			}
		})
		return nil
	}
}

// functionValue returns a function. Its body has a scope of its own.
func (a *analysis) functionValue(literal ast.Expression, outer *scope) *value {
	s := &scope{names: map[string]*value{}, outer: outer}
	f := &function{result: newValue(), this: newValue()}
	own := newValue(&object{function: f})
	var parameters *ast.ParameterList
	var body []ast.Statement
	var declared []*ast.VariableDeclaration
	var expression ast.Expression
	switch n := literal.(type) {
	case *ast.FunctionLiteral:
		s.this, s.names["arguments"] = f.this, newValue()
		if n.Name != nil && outer.lookup(n.Name.Name.String()) == nil {
			s.names[n.Name.Name.String()] = own
		} else if n.Name != nil {
			a.flow(own, s.declare(n.Name.Name.String()))
		}
		parameters, body, declared = n.ParameterList, n.Body.List, n.DeclarationList
	case *ast.ArrowFunctionLiteral:
		s.this = outer.this
		parameters, declared = n.ParameterList, n.DeclarationList
		switch b := n.Body.(type) {
		case *ast.BlockStatement:
			body = b.List
		case *ast.ExpressionBody:
			expression = b.Expression
		}
	}
	for range parameters.List {
		f.parameters = append(f.parameters, newValue())
	}
	f.body = func() {
		for _, p := range parameters.List {
			declareTarget(p.Target, s)
		}
		declareTarget(parameters.Rest, s)
		a.declareAll(declared, body, s)
		for i, p := range parameters.List {
			a.assign(p.Target, f.parameters[i], s, f)
			a.assign(p.Target, a.eval(p.Initializer, s, f), s, f)
		}
		if expression != nil {
			a.flow(a.eval(expression, s, f), f.result)
		}
		for _, statement := range body {
			a.walk(statement, s, f)
		}
	}
	return own
}

func (a *analysis) class(n *ast.ClassLiteral, s *scope, f *function) *value {
	own := &object{function: &function{result: newValue(), this: newValue()}}
	v := newValue(own)
	if n.Name != nil {
		if s.lookup(n.Name.Name.String()) == nil {
			s = &scope{names: map[string]*value{n.Name.Name.String(): v}, this: s.this, outer: s}
		} else {
			a.flow(v, s.lookup(n.Name.Name.String()))
		}
	}
	a.eval(n.SuperClass, s, f)
	for _, element := range n.Body {
		switch e := element.(type) {
		case *ast.FieldDefinition:
			initial := a.eval(e.Initializer, s, f)
			if name, ok := text(e.Key); ok && e.Static && !e.Computed {
				a.store(v, name, initial)
			}
		case *ast.MethodDefinition:
			method := a.functionValue(e.Body, s)
			if name, ok := text(e.Key); ok && e.Static && !e.Computed {
				a.store(v, name, method)
			}
		case *ast.ClassStaticBlock:
			inner := &scope{names: map[string]*value{}, this: v, outer: s}
			a.declareAll(e.DeclarationList, e.Block.List, inner)
			a.walk(e.Block, inner, nil)
		}
	}
	return v
}

// anyElement is the property of a literal that has all of its elements, for an index that is not
// known. Webpack has the modules of a bundle in such a literal. No property of a program has
// this name.
const anyElement = "\x00any"

func (a *analysis) objectLiteral(n *ast.ObjectLiteral, s *scope, f *function) *value {
	own := &object{}
	v := newValue(own)
	for _, p := range n.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			a.flow(s.lookup(p.Name.Name.String()), own.assigned(p.Name.Name.String()))
		case *ast.PropertyKeyed:
			of := a.eval(p.Value, s, f)
			name, ok := text(p.Key)
			switch {
			case !ok || p.Computed:
				a.eval(p.Key, s, f)
			case p.Kind == ast.PropertyKindGet:
				a.flow(a.call(of, v, nil), own.assigned(name))
			default:
				a.flow(of, own.assigned(name))
				if p.Kind != ast.PropertyKindSet {
					a.flow(of, own.property(anyElement))
				}
			}
		case *ast.SpreadElement:
			a.spread(v, a.eval(p.Expression, s, f))
		}
	}
	return v
}

// text returns the text of a string literal, or the name of a property.
func text(e ast.Expression) (string, bool) {
	literal, ok := e.(*ast.StringLiteral)
	if !ok {
		return "", false
	}
	return literal.Value.String(), true
}
