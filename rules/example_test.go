package rules_test

import (
	"errors"
	"fmt"

	"github.com/bellglass/bellglass/rules"
)

func ExampleParse() {
	policy, err := rules.Parse("policy.yaml", []byte(`
version: 1
rules:
  - id: api
    allow: https://api.example.com/v1/**
    methods: [GET]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range policy.Rules {
		fmt.Println(rule.Pos.Line, rule.ID, rule.Action, rule.Patterns[0].Source)
	}
	// Output: 4 api allow https://api.example.com/v1/**
}

func ExampleErrors_Pretty() {
	_, err := rules.Parse("policy.yaml", []byte("version: 1\nrules:\n  - alow: https://*example.com\n"))
	var all rules.Errors
	if errors.As(err, &all) {
		fmt.Print(all.Pretty())
	}
	// Output:
	// policy.yaml:3:5: unknown key "alow" in rule 1; the keys are id, allow, block, except, methods, types, reason, enforce
	//  3 |   - alow: https://*example.com
	//    |     ^
	//  hint: did you mean allow?
}
