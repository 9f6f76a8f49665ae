package child

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A child has nothing of the parent, and the limits of the package's doc.
func TestWhatAChildHas(t *testing.T) {
	inherited, err := syscall.Dup(syscall.Stdin) // not closed when a program starts
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	p := testPool(t)
	if _, err := p.Scan(source("a.ts", "")); err != nil {
		t.Fatal(err)
	}
	dir := fmt.Sprintf("/proc/%d/", p.together.process.cmd.Process.Pid)
	for name, want := range map[string]string{"environ": "", "cmdline": argument + "\x00", "oom_score_adj": "1000\n"} {
		if got, err := os.ReadFile(dir + name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v, want %q", name, got, err, want)
		}
	}
	if cwd, err := os.Readlink(dir + "cwd"); err != nil || cwd != "/" {
		t.Error(cwd, err)
	}
	descriptors, err := filepath.Glob(dir + "fdinfo/*")
	if err != nil || len(descriptors) < 3 {
		t.Fatal(descriptors, err)
	}
	for _, d := range descriptors {
		number := filepath.Base(d)
		target, err := os.Readlink(dir + "fd/" + number)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.ReadFile(d)
		if err != nil {
			t.Fatal(err)
		}
		// The Go runtime opens files for itself, and none of them stays open in another program.
		const closesOnExec = "02"
		standard := len(number) == 1 && number <= "2" && strings.HasPrefix(target, "pipe:")
		own := regexp.MustCompile(`flags:\t` + closesOnExec + `\d{6}\n`).Match(info)
		if !standard && !own {
			t.Errorf("%s is %s: %s", number, target, info)
		}
	}
	if limits, err := os.ReadFile(dir + "limits"); err != nil || !underRace && !strings.Contains(string(limits), fmt.Sprintf("Max data size             %d", 2*MaxMemory)) {
		t.Errorf("%s, %v", limits, err)
	}
	threads, err := filepath.Glob(dir + "task/*/stat")
	if err != nil || len(threads) == 0 {
		t.Fatal(threads, err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if nice, err := strconv.Atoi(strings.Fields(after)[16]); err != nil || nice < niceness {
			t.Errorf("%s has the niceness %d, %v", thread, nice, err)
		}
	}
}
