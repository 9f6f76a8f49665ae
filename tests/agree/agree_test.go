// Package agree compares four independent answers to the same question: may this request
// leave?
//
//  1. A naive scan of the rules, written here from the description of the language, with
//     gobwas/glob for host and path (naive_test.go).
//  2. The program that package rules compiles, in Go.
//  3. The same program in the worker's own code, in V8 (node_test.go).
//  4. The browser's reading of the headers that package firewall writes, by the model in
//     firewall/browsermodel. Whatever the program allows, the browser's own policies must allow.
//
// Policies and requests are derived from bytes. [TestAgree] uses some thousands of random
// inputs in each run of the tests. [FuzzAgree] lets a fuzzer find better ones, in
// testdata/fuzz/FuzzAgree. When two answers differ, the test makes the policy as small as it
// can, and prints it with the four answers.
//
// The files: dice_test.go turns bytes into choices. pattern_test.go, policy_test.go, and
// request_test.go make the choices. load_test.go loads the drawn policy, and compare_test.go
// compares the answers. shrink_test.go reduces a policy that shows a difference. tally_test.go
// counts what was covered, so that coverage cannot shrink unnoticed.
//
// The package is below tests because it combines packages that no other package may combine:
// rules, the firewall, and the worker, with an oracle that shares no code with them.
package agree

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		if err := started.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "ending Node:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

const requestsPerPolicy = 30

// try draws one policy with requests, and compares the answers. It reports whether the bytes
// give a policy.
func try(t *testing.T, bytes []byte, seen func(string)) bool {
	d := newDice(bytes)
	drawn := drawPolicy(d)
	loaded, err := drawn.load()
	if err != nil {
		return false
	}
	requests := make([]rules.Request, requestsPerPolicy)
	for i := range requests {
		requests[i] = drawRequest(d, drawn)
	}
	all, err := compare(drawn, loaded, requests, seen)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		report(t, drawn, all)
	}
	return true
}

func TestAgree(t *testing.T) {
	const draws = 200
	random := rand.New(rand.NewPCG(5, 6))
	sum := tally{}
	policies := 0
	for range draws {
		bytes := binary.LittleEndian.AppendUint64(nil, random.Uint64())
		if try(t, bytes, sum.see) {
			policies++
		}
		if t.Failed() {
			return // one counterexample is enough to read
		}
	}
	t.Logf("%d policies of %d draws\n%s", policies, draws, sum)
	if policies < draws*9/10 {
		t.Errorf("only %d of %d draws are policies", policies, draws)
	}
	sum.check(t, policies*requestsPerPolicy)
}

// Without a policy, everything is blocked. Every draw has a policy, so this is a test of its
// own.
func TestNoProgram(t *testing.T) {
	n, err := startNode()
	if err != nil {
		t.Fatal(err)
	}
	want := answer{Code: rules.CodeNoProgram}
	for _, program := range []*rules.Program{{}, (*rules.Policy)(nil).Program()} {
		decisions, err := n.ask(question{program, []asked{{"GET", rules.TypeFetch, "https://a.b/"}}})
		if err != nil {
			t.Fatal(err)
		}
		v := program.Decide(rules.Request{Method: "GET", URL: "https://a.b/", Type: rules.TypeFetch})
		if got := (answer{v.Action, v.Rule, v.Code, v.File, v.Line}); got != want || decisions[0].answer != want {
			t.Errorf("the program says %+v and the worker %+v, want %+v", got, decisions[0].answer, want)
		}
	}
}

func FuzzAgree(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(binary.LittleEndian.AppendUint64(nil, seed))
	}
	f.Fuzz(func(t *testing.T, bytes []byte) { try(t, bytes, func(string) {}) })
}
