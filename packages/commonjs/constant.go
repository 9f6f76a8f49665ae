package commonjs

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// constant returns the value of a condition that is the same in each run: a build has decided
// it, or it asks whether this is CommonJS.
func (s *scope) constant(e ast.Expression) (value, known bool) {
	switch n := e.(type) {
	case *ast.BooleanLiteral:
		return n.Value, true
	case *ast.UnaryExpression:
		if v, ok := s.constant(n.Operand); ok && n.Operator == token.NOT {
			return !v, true
		}
	case *ast.BinaryExpression:
		switch n.Operator {
		case token.LOGICAL_AND, token.LOGICAL_OR:
			return s.logical(n)
		case token.EQUAL, token.STRICT_EQUAL, token.NOT_EQUAL, token.STRICT_NOT_EQUAL:
			left, okLeft := s.constantText(n.Left)
			right, okRight := s.constantText(n.Right)
			unequal := n.Operator == token.NOT_EQUAL || n.Operator == token.STRICT_NOT_EQUAL
			return (left == right) != unequal, okLeft && okRight
		}
	}
	return false, false
}

func (s *scope) logical(n *ast.BinaryExpression) (value, known bool) {
	left, okLeft := s.constant(n.Left)
	right, okRight := s.constant(n.Right)
	decides := n.Operator == token.LOGICAL_OR // this value on one side is enough
	switch {
	case okLeft && left == decides, okRight && right == decides:
		return decides, true
	}
	return !decides, okLeft && okRight
}

// constantText returns the text of a literal, or the type of a variable that CommonJS has or
// lacks.
func (s *scope) constantText(e ast.Expression) (string, bool) {
	of, ok := e.(*ast.UnaryExpression)
	if !ok || of.Operator != token.TYPEOF {
		return text(e)
	}
	name, ok := of.Operand.(*ast.Identifier)
	if !ok {
		return "", false
	}
	top := s
	for top.outer != nil {
		if top.names[name.Name.String()] != nil {
			return "", false // another variable of this name
		}
		top = top.outer
	}
	switch name.Name.String() {
	case "exports", "module":
		return "object", true
	case "require":
		return "function", top.names["require"] == nil
	case "define":
		return "undefined", top.names["define"] == nil
	}
	return "", false
}
