package rule

import "slices"

// Two masks say which requests a rule covers: a bit for each method and for each type, in the
// order of [Methods] and [Types]. A program has the same masks.

// Methods lists the request methods that a rule can name. A browser sends them
// in upper case (https://fetch.spec.whatwg.org/#concept-method-normalize).
var Methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// MethodBit returns the method's bit. All methods that no rule can name share one bit.
func MethodBit(method string) uint32 {
	if method == "GET" { // nearly always
		return 1
	}
	if i := slices.Index(Methods, method); i >= 0 {
		return 1 << i
	}
	return 1 << len(Methods)
}

// TypeBit returns the type's bit, or 0 for an unknown type.
func TypeBit(t Type) uint32 {
	if t == TypeFetch {
		return 1
	}
	for i, known := range Types {
		if t == known {
			return 1 << i
		}
	}
	return 0
}

// SocketBit is the bit of TypeWebSocket, which is the last type.
const SocketBit = 1 << 8

// Masks returns the methods and types of the rule.
func (r *Rule) Masks() (methods, types uint32) {
	methods = 1<<(len(Methods)+1) - 1
	if len(r.Methods)+len(r.Types) == 0 {
		return methods, anyType[r.Action]
	}
	if len(r.Methods) > 0 {
		methods = 0
		for _, m := range r.Methods {
			methods |= MethodBit(m)
		}
	}
	for _, t := range Types {
		if r.Covers(t) {
			types |= TypeBit(t)
		}
	}
	return methods, types
}

// anyType is the mask of a rule that states no types, by its action.
var anyType = func() (all [2]uint32) {
	for _, action := range []Action{Block, Allow} {
		for _, t := range Types {
			if r := (Rule{Action: action}); r.Covers(t) {
				all[action] |= TypeBit(t)
			}
		}
	}
	return all
}()

// TypesOf returns the types, among those of a rule, that a target of this scheme can have.
func (t *Target) TypesOf(types uint32) uint32 {
	if t.WebSocket() {
		return types & SocketBit
	}
	return types &^ SocketBit
}

// Audited reports whether a policy that only audits lets requests of the type pass. These are
// the types that the worker sees and logs.
func Audited(t Type) bool { return t != TypeFrame && t != TypeWebSocket }
