package rules

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// Schema returns a JSON Schema (https://json-schema.org, draft 2020-12) of a policy file, with
// which an editor completes and checks it. The schema is made from the tables of keys and
// words that [Parse] uses.
//
// The schema accepts everything that Parse accepts. It also accepts much that Parse rejects,
// because no schema can express what a whole pattern means, or what rules mean together.
func Schema() []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(policySchema()); err != nil {
		panic(err) // it consists of texts, numbers, and lists only
	}
	return b.Bytes()
}

func policySchema() object {
	rule := append(mappingSchema("A rule allows or blocks the requests that match all that it states.", ruleKeys),
		member{"oneOf", []object{{{"required", []string{"allow"}}}, {{"required", []string{"block"}}}}},
		member{"dependentRequired", object{{"except", []string{"block"}}}})
	return slices.Concat(
		object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Bellglass policy"}},
		mappingSchema("What a sandbox may send and load. Everything that no rule allows is blocked.", policyKeys),
		object{{"$defs", object{
			{"rule", rule},
			{"test", mappingSchema("A request and the verdict that is expected on it.", testKeys)},
			{"pattern", object{{"type", "string"}, {"maxLength", maxPattern}, {"pattern", patternExpression()}}},
		}}})
}

// mappingSchema returns the schema of a mapping with the keys of a table.
func mappingSchema(doc string, table []key) object {
	var properties object
	needed := []string{}
	for _, k := range table {
		properties = append(properties, member{k.name, append(object{{"description", k.doc}}, k.schema()...)})
		if k.needed {
			needed = append(needed, k.name)
		}
	}
	mapping := object{{"description", doc}, {"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if len(needed) > 0 {
		mapping = append(mapping, member{"required", needed})
	}
	return mapping
}

// schema returns the schema of the key's value, by its kind.
func (k key) schema() object {
	listOf := func(more ...member) object { return append(object{{"type", "array"}}, more...) }
	words := listOf(member{"items", object{{"enum", k.words}}}, member{"uniqueItems", true})
	switch k.kind {
	case kindVersion:
		return object{{"const", 1}}
	case kindReason:
		return object{{"type", "string"}, {"maxLength", maxReason}}
	case kindID:
		return object{{"type", "string"}, {"pattern", "^[" + class(idFirst) + "][" + class(idFirst+idMore) + "]{0," + strconv.Itoa(longestID-1) + "}$"}}
	case kindRule:
		return object{{"type", "string"}, {"pattern", "^[" + class(idFirst+idMore) + "]{1," + strconv.Itoa(longestID) + "}$"}}
	case kindURL:
		return object{{"type", "string"}}
	case kindFlag:
		return object{{"type", "boolean"}}
	case kindWord:
		return object{{"enum", k.words}}
	case kindWords:
		return words
	case kindSomeWords:
		return append(words, member{"minItems", 1})
	case kindPatterns:
		pattern := object{{"$ref", "#/$defs/pattern"}}
		return object{{"oneOf", []object{pattern, listOf(member{"items", pattern}, member{"minItems", 1})}}}
	case kindFiles:
		return listOf(member{"items", object{{"type", "string"}, {"pattern", `^[^/\\][^\\]*$`}}})
	case kindRules:
		return listOf(member{"items", object{{"$ref", "#/$defs/rule"}}})
	case kindTests:
		return listOf(member{"items", object{{"$ref", "#/$defs/test"}}})
	}
	panic("rules: the key " + k.name + " is of no kind")
}

// patternExpression returns what a regular expression can check of a pattern: its scheme, that
// it has a host, and the characters that are illegal in it (see forbidden).
func patternExpression() string {
	return "^(" + strings.Join(rule.Schemes[:], "|") + `)://[^\s\\#?/@]+(/[^\s\\#?]*)?$`
}

// class returns characters for a bracket expression. A hyphen must come last there to stand
// for itself.
func class(characters string) string {
	short := strings.NewReplacer("abcdefghijklmnopqrstuvwxyz", "a-z", "0123456789", "0-9", "-", "").Replace(characters)
	if strings.Contains(characters, "-") {
		short += "-"
	}
	return short
}

// An object is a JSON object whose members keep the order of the tables.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members. It escapes no characters for HTML.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encoder.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encoder.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
