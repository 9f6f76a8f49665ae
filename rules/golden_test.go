package rules_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/rules/rule"
)

var update = flag.Bool("update", false, "write testdata/err/*.out anew; read the diff afterwards")

// testdata/err has every mistake that a policy can contain, with the exact text that its
// author sees. A policy of several files is a folder.
func TestErrors(t *testing.T) {
	inputs := map[string]error{} // the error of Parse or Load, by the golden file's name
	for _, input := range files(t, "testdata/err/*.yaml") {
		_, err := rules.Parse(filepath.Base(input), read(t, input))
		inputs[strings.TrimSuffix(input, ".yaml")+".out"] = err
	}
	for _, input := range files(t, "testdata/err/*/policy.yaml") {
		folder := filepath.Dir(input)
		_, err := rules.Load("policy.yaml", func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
		inputs[folder+".out"] = err
	}
	if len(inputs) < 85 {
		t.Errorf("only %d kinds of mistakes", len(inputs))
	}
	for golden, err := range inputs {
		t.Run(filepath.Base(golden), func(t *testing.T) {
			var all rules.Errors
			if !errors.As(err, &all) {
				t.Fatalf("got %v, want rules.Errors", err)
			}
			if *update {
				if err := os.WriteFile(golden, []byte(all.Pretty()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(read(t, golden)), all.Pretty()); diff != "" {
				t.Errorf("%s differs from the report (-want +got):\n%s", golden, diff)
			}
		})
	}
	for _, golden := range files(t, "testdata/err/*.out") {
		if _, known := inputs[golden]; !known {
			t.Errorf("%s belongs to no policy", golden)
		}
	}
}

// A file of 10 MB is rejected by its size, before it is parsed.
func TestHugeFile(t *testing.T) {
	src := append([]byte("version: 1\n"), bytes.Repeat([]byte("# 0123456789\n"), 800_000)...)
	_, err := rules.Parse("huge.yaml", src)
	var all rules.Errors
	if !errors.As(err, &all) || len(all) != 1 {
		t.Fatalf("got %v, want one mistake", err)
	}
	const want = `huge.yaml:1:1: the file has 10400011 bytes; 8388608 are allowed
 1 | ` + `
   | ^
 hint: split the policy, or use braces and *. instead of long lists
`
	if diff := cmp.Diff(strings.ReplaceAll(want, "| \n", "|\n"), strings.ReplaceAll(all.Pretty(), "| \n", "|\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAccepted(t *testing.T) {
	for _, input := range files(t, "testdata/ok/*.yaml") {
		t.Run(filepath.Base(input), func(t *testing.T) {
			policy, err := rules.Parse(input, read(t, input))
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if policy.Name != input {
				t.Errorf("the policy's name is %q, want %q", policy.Name, input)
			}
		})
	}
	for _, input := range files(t, "testdata/ok/*/policy.yaml") {
		folder := filepath.Dir(input)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			policy, err := rules.Load("policy.yaml", func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if len(policy.Layers) < 2 {
				t.Error("the policy includes nothing, and needs no folder")
			}
		})
	}
}

func TestDefaultBlocksAll(t *testing.T) {
	policy, err := rules.Parse("default.yaml", rules.Default)
	if err != nil {
		t.Fatal(err)
	}
	want := &rules.Policy{Policy: rule.Policy{Name: "default.yaml", Mode: rules.ModeEnforce, Layers: []rules.Layer{{File: "default.yaml"}}}}
	if diff := cmp.Diff(want, policy, cmpopts.IgnoreUnexported(rules.Policy{})); diff != "" {
		t.Errorf("the default policy is not the one that blocks all (-want +got):\n%s", diff)
	}
}

// The comments of the default policy teach by an example, which must be valid.
func TestDefaultTeachesWhatIsTrue(t *testing.T) {
	head, example, found := strings.Cut(string(rules.Default), "# rules:\n")
	if !found {
		t.Fatal("there is no example of rules")
	}
	text := strings.ReplaceAll(head, "# scripts:", "scripts:") + "rules:\n"
	for line := range strings.Lines(example) {
		text += strings.TrimPrefix(line, "#")
	}
	policy, err := rules.Parse("default.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(policy.Rules) < 4 || len(policy.Scripts) < 2 {
		t.Errorf("the example has only %d rules and %d scripts", len(policy.Rules), len(policy.Scripts))
	}
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	return names
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
