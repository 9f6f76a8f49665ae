package manifest

import (
	"strings"
	"testing"
)

func TestSetDependencies(t *testing.T) {
	react := map[string]string{"react": "^19.0.0"}
	for _, test := range []struct {
		name, text string
		set        map[string]string
		want       string
	}{
		{"no file", "", react, "{\n  \"dependencies\": {\n    \"react\": \"^19.0.0\"\n  }\n}\n"},
		{"an empty object", "{}", react, "{\n  \"dependencies\": {\n    \"react\": \"^19.0.0\"\n  }\n}"},
		{"other keys, tabs", "{\n\t\"name\": \"a\",\n\t\"x\": [1,  2]\n}\n", react, "{\n\t\"name\": \"a\",\n\t\"x\": [1,  2],\n\t\"dependencies\": {\n\t\t\"react\": \"^19.0.0\"\n\t}\n}\n"},
		{"one line", `{"name":"a"}`, react, `{"name":"a","dependencies": {"react": "^19.0.0"}}`},
		{"replaced", "{\n    \"dependencies\": {\n        \"react\" :  \"^18\",\n        \"zod\": \"*\"\n    },\n    \"b\": 1\n}", react, "{\n    \"dependencies\": {\n        \"react\" :  \"^19.0.0\",\n        \"zod\": \"*\"\n    },\n    \"b\": 1\n}"},
		{"in the order of names", "{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"z\": \"1\"\n  }\n}", react, "{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"react\": \"^19.0.0\",\n    \"z\": \"1\"\n  }\n}"},
		{"at the end", "{\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}", map[string]string{"b": "2", "c": "3"}, "{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"b\": \"2\",\n    \"c\": \"3\"\n  }\n}"},
		{"empty dependencies", "{\n  \"dependencies\": {}\n}", react, "{\n  \"dependencies\": {\n    \"react\": \"^19.0.0\"\n  }\n}"},
		{"null", "{\n  \"dependencies\": null\n}", react, "{\n  \"dependencies\": {\n    \"react\": \"^19.0.0\"\n  }\n}"},
		{"line ends of Windows", "{\r\n  \"name\": \"a\"\r\n}\r\n", react, "{\r\n  \"name\": \"a\",\r\n  \"dependencies\": {\r\n    \"react\": \"^19.0.0\"\r\n  }\r\n}\r\n"},
		{"a byte order mark", "\ufeff{\"name\":\"a\"}", react, "\ufeff{\"name\":\"a\",\"dependencies\": {\"react\": \"^19.0.0\"}}"},
		{"a nested key of the same name", "{\n  \"a\": {\"dependencies\": {\"react\": \"1\"}}\n}", react, "{\n  \"a\": {\"dependencies\": {\"react\": \"1\"}},\n  \"dependencies\": {\n    \"react\": \"^19.0.0\"\n  }\n}"},
		{"comparisons", "{}", map[string]string{"a": ">=1 <2"}, "{\n  \"dependencies\": {\n    \"a\": \">=1 <2\"\n  }\n}"},
		{"nothing to set", "{ }", nil, "{ }"},
	} {
		got, err := SetDependencies([]byte(test.text), test.set)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", test.name, err, got, test.want)
		}
	}
}

func TestRejected(t *testing.T) {
	for _, text := range []string{"[]", "{", `{"dependencies": 1}`, `{"dependencies": {"a": 1}}`, "{} {}"} {
		if _, err := SetDependencies([]byte(text), map[string]string{"a": "1"}); err == nil || !strings.Contains(err.Error(), "package.json") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An edited file still is one, and has what was set.
func FuzzSetDependencies(f *testing.F) {
	f.Add(`{"a": {"dependencies": 1}, "dependencies": {"x": "1"}}`, "react")
	f.Add("{\n\t\"dependencies\" : {\n\n}, \"b\": \"}\"}", "b")
	f.Fuzz(func(t *testing.T, text, name string) {
		before, err := Dependencies([]byte(text))
		if err != nil || strings.ToValidUTF8(name, "") != name {
			return
		}
		got, err := SetDependencies([]byte(text), map[string]string{name: "^1"})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		after, err := Dependencies(got)
		if err != nil || after[name] != "^1" {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		for other, r := range before {
			if other != name && after[other] != r {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}
