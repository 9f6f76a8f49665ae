package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of a JSON body.
const (
	MaxValues = 100_000 // values, as [MeasureJSON] counts them
	MaxDepth  = 32      // levels of brackets
)

// Decode decodes exactly one JSON value. It rejects invalid UTF-8, duplicate names, unknown
// names, and names in another case.
func Decode(text []byte, into any) error {
	values, depth := MeasureJSON(text)
	if values > MaxValues {
		return Refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The body contains more than %d JSON values. Split it into several requests.", MaxValues)
	}
	if depth > MaxDepth {
		return Refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The JSON nests deeper than %d levels.", MaxDepth)
	}
	err := json.Unmarshal(text, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	pointer, why := jsonMistake(err)
	return &Refusal{Status: http.StatusBadRequest, Code: "bad-json", Text: fmt.Sprintf("The body is not valid JSON for this operation: %s.", why), Pointer: pointer}
}

// jsonMistake returns where and why decoding failed, in terms of JSON and not of Go.
func jsonMistake(err error) (pointer, why string) {
	if at, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return string(at.JSONPointer), fmt.Sprintf("at byte %d: %v", at.ByteOffset, at.Err)
	}
	at, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return "", err.Error()
	}
	pointer = string(at.JSONPointer)
	switch {
	case errors.Is(at.Err, json.ErrUnknownName):
		return pointer, fmt.Sprintf("unknown key %.100q", at.JSONPointer.LastToken())
	case at.Err != nil:
		return pointer, fmt.Sprintf("at %.200q: %v", pointer, at.Err)
	}
	return pointer, fmt.Sprintf("at %.200q: unexpected value of type %v", pointer, at.JSONKind)
}

// MeasureJSON returns an upper bound of the number of values in a JSON text, and how deep its
// brackets nest. The text need not be valid. Every member and element follows a bracket or a
// comma. The outermost value follows neither, and counts 1.
func MeasureJSON(text []byte) (values, deepest int) {
	depth, quoted := 0, false
	values = 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == ',':
			values++
		case c == '[' || c == '{':
			values++
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return values, deepest
}
