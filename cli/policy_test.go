package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/rules"
)

// A policy is watched with all its files. An include is watched from the moment it is
// added, even while it is missing or invalid, and no longer once it is removed.
func TestPolicyFilesAreWatched(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(file("shared"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, file("rules.yaml"), "version: 1\ninclude: [shared/a.yaml]\n")
	write(t, file("shared/a.yaml"), "version: 1\nrules: [{id: a1, allow: https://a.example.com}]\n")
	files := newPolicyFiles(file("rules.yaml"))
	policy, err := files.load()
	if err != nil || ids(policy) != "a1" {
		t.Fatalf("the policy has the rules %q: %v", ids(policy), err)
	}
	type change struct {
		rules string
		err   error
	}
	changes := make(chan change, 100)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	files.watch(ctx, &group, func(policy *rules.Policy, err error) { changes <- change{ids(policy), err} }, func(err error) { t.Errorf("the watching ended: %v", err) })

	// expect receives the next change. No other change may be reported.
	expect := func(want string) {
		t.Helper()
		var got change
		select {
		case got = <-changes:
		case <-time.After(time.Minute): // far longer than it takes
			t.Fatalf("no change is reported; want %q", want)
		}
		if got.err != nil && !strings.Contains(got.err.Error(), want) || got.err == nil && got.rules != want {
			t.Errorf("reported %q, %v; want %q", got.rules, got.err, want)
		}
	}
	replace(t, file("shared/a.yaml"), "version: 1\nrules: [{id: a2, allow: https://a.example.com}]\n")
	expect("a2")
	replace(t, file("shared/a.yaml"), "version: 1\nrules: [{id: a2, alow: https://a.example.com}]\n")
	expect("unknown key")
	replace(t, file("shared/a.yaml"), "version: 1\nrules: [{id: a2, allow: https://a.example.com}]\n")
	expect("a2")
	replace(t, file("rules.yaml"), "version: 1\ninclude: [shared/a.yaml, shared/b.yaml]\n")
	expect("cannot read")
	replace(t, file("shared/b.yaml"), "version: 1\nrules: [{id: b1, alow: https://b.example.com}]\n")
	expect("unknown key")
	replace(t, file("shared/b.yaml"), "version: 1\nrules: [{id: b1, allow: https://b.example.com}]\n")
	expect("a2 b1")
	replace(t, file("rules.yaml"), "version: 1\ninclude: [shared/a.yaml]\n")
	expect("a2")
	replace(t, file("shared/b.yaml"), "version: 1\nrules: [{id: b2, allow: https://b.example.com}]\n")
	replace(t, file("shared/a.yaml"), "version: 1\nrules: [{id: a3, allow: https://a.example.com}]\n")
	expect("a3")
	// A file that appears again is read again.
	replace(t, file("rules.yaml"), "version: 1\ninclude: [shared/a.yaml, shared/b.yaml]\n")
	expect("a3 b2")
	if err := os.Remove(file("rules.yaml")); err != nil {
		t.Fatal(err)
	}
	expect("cannot read the policy")
	replace(t, file("rules.yaml"), "version: 1\nrules: [{id: own, allow: https://a.example.com}]\n")
	expect("own")

	cancel()
	group.Wait()
	if len(changes) > 0 {
		t.Errorf("reported in addition: %+v", <-changes)
	}
}

func ids(policy *rules.Policy) string {
	if policy == nil {
		return ""
	}
	var all []string
	for i := range policy.Rules {
		all = append(all, policy.Rules[i].ID)
	}
	return strings.Join(all, " ")
}

// replace writes a file atomically, so that nobody reads half of it.
func replace(t *testing.T, name, text string) {
	t.Helper()
	written := filepath.Join(t.TempDir(), "written")
	write(t, written, text)
	if err := os.Rename(written, name); err != nil {
		t.Fatal(err)
	}
}
