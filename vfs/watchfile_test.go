package vfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWatchFile(t *testing.T) {
	dir := tree(t, map[string][]byte{"/rules.yaml": []byte("1"), "/other.yaml": nil})
	file := filepath.Join(dir, "rules.yaml")
	type call struct {
		text string
		err  error
	}
	calls := make(chan call, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- WatchFile(ctx, file, func(data []byte, err error) { calls <- call{string(data), err} })
	}()
	// until waits for the text, or for an error that contains it.
	var last string
	until := func(text string) {
		t.Helper()
		for {
			c := next(t, calls)
			if now := fmt.Sprint(c); now == last {
				t.Errorf("reported twice: %s", now)
			} else {
				last = now
			}
			if c.err == nil && c.text == text || c.err != nil && c.text == "" && strings.Contains(c.err.Error(), text) {
				return
			}
		}
	}
	write := func(name, data string) { writeTree(t, dir, map[string][]byte{"/" + name: []byte(data)}) }

	until("1")
	write("rules.yaml", "2")
	until("2")
	write("rules.yaml~", "3")
	must(t, os.Rename(file+"~", file))
	until("3")
	write("rules.yaml", "4")
	until("4")
	must(t, os.Remove(file))
	until("no such file")
	write("rules.yaml", "4") // the same as before the error, and reported all the same
	until("4")
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o755))
	until("it is a folder")
	must(t, os.Remove(file))
	write("v1/rules", "5")
	link(t, dir, "v1", "now")
	link(t, dir, "now/rules", "rules.yaml")
	until("5")
	write("v2/rules", "6")
	link(t, dir, "v2", "then")
	must(t, os.Rename(filepath.Join(dir, "then"), filepath.Join(dir, "now")))
	until("6")
	must(t, os.RemoveAll(filepath.Dir(dir)))
	until("no such file")
	write("rules.yaml", "7")
	until("7")
	must(t, os.Truncate(file, DefaultLimits().FileSize+1))
	until(LimitFileSize)

	cancel()
	if err := next(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("WatchFile returned %v, want context.Canceled", err)
	}
}

// A name on the way that is a file instead of a folder is waited out like a missing
// one.
func TestWatchFileThatIsMissingAtFirst(t *testing.T) {
	dir := tree(t, map[string][]byte{"/conf": nil})
	texts := make(chan string, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- WatchFile(ctx, filepath.Join(dir, "conf/d/rules.yaml"), func(data []byte, err error) {
			if err != nil {
				data = []byte("error")
			}
			texts <- string(data)
		})
	}()
	if got := next(t, texts); got != "error" {
		t.Errorf("the first report is %q, want an error", got)
	}
	must(t, os.Remove(filepath.Join(dir, "conf")))
	writeTree(t, dir, map[string][]byte{"/conf/d/rules.yaml": []byte("1")})
	for next(t, texts) != "1" {
	}
	cancel()
	next(t, ended)
}
