package rules_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/vectors"
)

// Editors read schema.json, and people can read it in the repository.
func TestSchemaFile(t *testing.T) {
	const name = "schema.json"
	if *update {
		if err := os.WriteFile(name, rules.Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, name)), string(rules.Schema())); diff != "" {
		t.Errorf("%s is not what Schema returns; run go test ./rules -update (-file +Schema):\n%s", name, diff)
	}
}

// The schema accepts what the parser accepts.
func TestSchemaAcceptsPolicies(t *testing.T) {
	schema := compileSchema(t)
	policies := map[string][]byte{}
	for _, name := range files(t, "testdata/ok/*.yaml") {
		policies[name] = read(t, name)
	}
	for _, starter := range rules.Starters() {
		policies[starter.Name] = starter.Text
	}
	all, err := vectors.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		policies[file.Name] = file.Policy
	}
	for name, src := range policies {
		instance, err := instanceOf(src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s is a policy, and the schema refuses it: %v", name, err)
		}
	}
}

// seen lists the files of testdata/err in which the schema finds a mistake. The mistakes of
// the others concern YAML, a whole pattern, or rules together.
var seen = []string{
	"actions.yaml", "addresses_of_others.yaml", "allow_and_block.yaml", "ceiling_kind.yaml", "characters.yaml", "comments_only.yaml", "containment_kind.yaml",
	"containment_unknown.yaml", "default_allow.yaml",
	"empty.yaml", "enforce_unknown.yaml", "ids.yaml", "ids_refused_once.yaml", "include_kind.yaml", "key_misspelled_at_top.yaml",
	"key_misspelled_in_rule.yaml", "key_misspelled_in_test.yaml", "keys_of_another_place.yaml", "keys_without_value.yaml",
	"kinds_at_top.yaml", "kinds_in_rule.yaml", "long_words.yaml", "methods_in_lower_case.yaml", "mode_kind.yaml",
	"mode_unknown.yaml", "not_a_mapping.yaml", "null_document.yaml", "question_marks.yaml", "quoting.yaml", "reason_too_long.yaml",
	"rule_empty_in_test.yaml", "rules_mapping.yaml", "scheme.yaml", "scheme_spellings.yaml", "test_incomplete.yaml",
	"test_kinds.yaml", "test_words.yaml", "tests_not_a_list.yaml", "tests_without_value.yaml", "too_long.yaml", "unknown_keys.yaml",
	"utf_16.yaml", "version_date.yaml", "version_missing.yaml", "version_misspelled.yaml", "version_text.yaml",
	"version_without_value.yaml", "version_wrong.yaml", "whole_url_globs.yaml", "words.yaml", "words_of_others.yaml", "worker_kind.yaml", "worker_unknown.yaml", "yaml_no_space_after_colon.yaml",
	"yaml_no_space_after_hyphen.yaml", "yaml_no_space_at_top.yaml",
}

func TestSchemaRefusesMistakes(t *testing.T) {
	schema := compileSchema(t)
	var refused []string
	for _, name := range files(t, "testdata/err/*.yaml") {
		instance, err := instanceOf(read(t, name))
		if err == nil && schema.Validate(instance) != nil {
			refused = append(refused, filepath.Base(name))
		}
	}
	if diff := cmp.Diff(seen, refused); diff != "" {
		t.Errorf("the files in which the schema sees a mistake (-want +got):\n%s", diff)
	}
}

// Each text has a single mistake, so no other mistake hides that the schema misses it.
func TestSchemaRefusesEachMistake(t *testing.T) {
	schema := compileSchema(t)
	const allow = "{allow: https://a.example.com"
	long := strings.Repeat("a", 65)
	for _, text := range []string{
		"", "[]", "version: 2", "version: '1'", "version: true", "rules: []",
		"version: 1\nrule: []", "version: 1\ndefault: allow", "version: 1\ndefault: true", "version: 1\nmode: log", "version: 1\nenforce: server",
		"version: 1\nceiling: 'true'", "version: 1\nceiling:",
		"version: 1\ninclude: base.yaml", "version: 1\ninclude: [/base.yaml]", `version: 1
include: ['..\base.yaml']`, "version: 1\ninclude: ['']", "version: 1\ninclude: [1]",
		"version: 1\nscripts: inline", "version: 1\nscripts: [unsafe]", "version: 1\nscripts: [eval, eval]",
		"version: 1\nrules:", "version: 1\nrules: {a: b}", "version: 1\nrules: [a]", "version: 1\nrules: [{}]",
		"version: 1\nrules: [{id: a}]", "version: 1\nrules: [" + allow + ", block: https://b.example.com}]",
		"version: 1\nrules: [" + allow + ", except: https://b.example.com}]", "version: 1\nrules: [" + allow + ", type: [fetch]}]",
		"version: 1\nrules: [{allow: }]", "version: 1\nrules: [{allow: []}]", "version: 1\nrules: [{allow: 1}]", "version: 1\nrules: [{allow: {https: a}}]",
		"version: 1\nrules: [{allow: [[https://a.example.com]]}]", "version: 1\nrules: [{block: https://a.example.com, except: []}]",
		"version: 1\nrules: [{allow: a.example.com}]", "version: 1\nrules: [{allow: ftp://a.example.com}]", "version: 1\nrules: [{allow: HTTPS://a.example.com}]",
		"version: 1\nrules: [{allow: 'https://'}]", "version: 1\nrules: [{allow: https:///a}]", "version: 1\nrules: [{allow: https://u@a.example.com}]",
		"version: 1\nrules: [{allow: https://a.example.com/a b}]", "version: 1\nrules: [{allow: 'https://a.example.com/?b'}]",
		"version: 1\nrules: [{allow: 'https://a.example.com/#b'}]", `version: 1
rules: [{allow: 'https://a.example.com\b'}]`, "version: 1\nrules: [{allow: https://a.example.com/" + strings.Repeat("a", 256) + "}]",
		"version: 1\nrules: [" + allow + ", id: A}]", "version: 1\nrules: [" + allow + ", id: ''}]", "version: 1\nrules: [" + allow + ", id: -a}]",
		"version: 1\nrules: [" + allow + ", id: " + long + "}]", "version: 1\nrules: [" + allow + ", id: 1}]",
		"version: 1\nrules: [" + allow + ", methods: GET}]", "version: 1\nrules: [" + allow + ", methods: []}]", "version: 1\nrules: [" + allow + ", methods: [get]}]",
		"version: 1\nrules: [" + allow + ", methods: [GET, GET]}]", "version: 1\nrules: [" + allow + ", types: []}]", "version: 1\nrules: [" + allow + ", types: [xhr]}]",
		"version: 1\nrules: [" + allow + ", types: [font, font]}]", "version: 1\nrules: [" + allow + ", reason: 1}]",
		"version: 1\nrules: [" + allow + ", reason: " + strings.Repeat("a", 513) + "}]", "version: 1\nrules: [" + allow + ", enforce: true}]",
		"version: 1\ntests: {}", "version: 1\ntests: [{}]", "version: 1\ntests: [{url: https://a.example.com/}]", "version: 1\ntests: [{expect: block}]",
		"version: 1\ntests: [{url: 1, expect: block}]", "version: 1\ntests: [{url: https://a.example.com/, expect: refuse}]",
		"version: 1\ntests: [{url: https://a.example.com/, expect: block, method: get}]", "version: 1\ntests: [{url: https://a.example.com/, expect: block, type: xhr}]",
		"version: 1\ntests: [{url: https://a.example.com/, expect: block, rule: ''}]", "version: 1\ntests: [{url: https://a.example.com/, expect: block, code: x}]",
	} {
		if policy, err := rules.Parse("policy.yaml", []byte(text)); err == nil {
			t.Errorf("%.200q: this is no mistake; Parse returns a policy with %d rules", text, len(policy.Rules))
		}
		instance, err := instanceOf([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if schema.Validate(instance) == nil {
			t.Errorf("%.200q: the schema accepts it", text)
		}
	}
}

// Both accept values exactly at a limit.
func TestSchemaLimits(t *testing.T) {
	schema := compileSchema(t)
	for _, text := range []string{
		"rules: [{allow: https://a.example.com, id: " + strings.Repeat("a", 64) + ", reason: " + strings.Repeat("a", 512) + "}]",
		"rules: [{allow: https://a.example.com/" + strings.Repeat("a", 256-len("https://a.example.com/")) + "}]",
		"rules: [{allow: https://a.example.com}]\ntests: [{url: https://a.example.com/, expect: allow, rule: rule-1}]",
		"rules: [{id: 0-1.2_3, allow: [https://a.example.com, https://a.example.com]}]",
	} {
		src := []byte("version: 1\n" + text)
		if _, err := rules.Parse("policy.yaml", src); err != nil {
			t.Errorf("%v", err)
		}
		if instance, err := instanceOf(src); err != nil || schema.Validate(instance) != nil {
			t.Errorf("%.200q: the schema refuses it: %v, %v", text, err, schema.Validate(instance))
		}
	}
}

// The schema never rejects a valid policy.
func FuzzSchema(f *testing.F) {
	schema := compileSchema(f)
	for _, pattern := range []string{"testdata/ok/*.yaml", "testdata/err/*.yaml", "starters/*.yaml"} {
		for _, name := range files(f, pattern) {
			f.Add(read(f, name))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, err := rules.Parse("policy.yaml", src); err != nil {
			return
		}
		instance, err := instanceOf(src)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%q is a policy, and the schema refuses it: %v", src, err)
		}
	})
}

func compileSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(rules.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is fetched
	if err := compiler.AddResource("policy.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("policy.json")
	if err != nil {
		t.Fatalf("the schema does not conform to its draft: %v", err)
	}
	return schema
}

// instanceOf reads YAML as an editor does: a policy is plain data.
func instanceOf(src []byte) (any, error) {
	var value any
	if err := yaml.Unmarshal(src, &value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}
