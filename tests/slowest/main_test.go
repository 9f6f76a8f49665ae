package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	printed := "ok  \texample.org/a\t1.500s\nok  \texample.org/kept\t(cached)\n?   \texample.org/none\t[no test files]\n" +
		"--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.org/b\t61.000s\nok  \texample.org/c\t12.250s [no tests to run]\nFAIL\texample.org/broken [build failed]\nFAIL\n"
	var out strings.Builder
	status, err := run(&out, exec.Command("sh", "-c", `printf '%s' "$0"; exit 3`, printed))
	if err != nil || status != 3 {
		t.Errorf("status %d, %v", status, err)
	}
	want := printed + "\nThe slowest of 3 packages, which took 1m15s in sum:\n" +
		"    61.0 s  example.org/b\n    12.2 s  example.org/c\n     1.5 s  example.org/a\n"
	if out.String() != want {
		t.Errorf("it prints\n%s\nwant\n%s", out.String(), want)
	}
}

func TestRunWithoutCommand(t *testing.T) {
	if status, err := run(&strings.Builder{}, exec.Command("/nowhere/go")); status == 0 || err == nil {
		t.Errorf("status %d, %v", status, err)
	}
}
