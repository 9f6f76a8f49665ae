package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// printing returns a command that prints a text and exits with a status.
func printing(text, status string) *exec.Cmd {
	return exec.Command("sh", "-c", `printf '%s' "$0"; exit $1`, text, status)
}

func TestRun(t *testing.T) {
	first := "ok  \texample.org/a\t1.500s\nok  \texample.org/kept\t(cached)\n?   \texample.org/none\t[no test files]\n" +
		"--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.org/b\t61.000s\nok  \texample.org/c\t12.250s [no tests to run]\nFAIL\texample.org/broken [build failed]\nFAIL\n"
	second := "ok  \texample.org/d\t20.000s\n"
	var out strings.Builder
	status, err := run(&out, printing(first, "3"), printing(second, "0"))
	if err != nil || status != 3 {
		t.Errorf("status %d, %v", status, err)
	}
	want := first + second + "\nThe slowest of 4 packages, which took 1m35s in sum:\n" +
		"    61.0 s  example.org/b\n    20.0 s  example.org/d\n    12.2 s  example.org/c\n     1.5 s  example.org/a\n"
	if out.String() != want {
		t.Errorf("it prints\n%s\nwant\n%s", out.String(), want)
	}
}

// Every run counts for the status, whichever of them fails.
func TestRunFails(t *testing.T) {
	for _, statuses := range [][2]string{{"0", "1"}, {"1", "0"}, {"1", "1"}} {
		if status, err := run(&strings.Builder{}, printing("", statuses[0]), printing("", statuses[1])); status != 1 || err != nil {
			t.Errorf("with %q it ends with %d, %v", statuses, status, err)
		}
	}
	if status, err := run(&strings.Builder{}, exec.Command("/nowhere/go"), printing("", "0")); status == 0 || err == nil {
		t.Errorf("without its command it ends with %d, %v", status, err)
	}
}

func TestCommands(t *testing.T) {
	var got [][]string
	for _, command := range commands([]string{"-race", "./a", "./b", "-v", "--", "-p", "1", "./c"}) {
		got = append(got, command.Args)
	}
	if diff := cmp.Diff([][]string{{"go", "test", "-race", "./a", "./b", "-v"}, {"go", "test", "-p", "1", "./c"}}, got); diff != "" {
		t.Errorf("the commands (-want +got):\n%s", diff)
	}
}
