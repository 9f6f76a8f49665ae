//go:build unix

package cli

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A watchdog ends a browser and removes its profile when this program is gone, even by
// a kill that lets it do nothing more. It is a shell that reads a pipe: when the pipe
// ends without a word, so has this program.
type watchdog struct {
	shell *exec.Cmd
	pipe  io.WriteCloser
}

// The first line names the browser's process group, the second says that all is over.
// A browser that is asked to end removes its own temporary files.
const watch = `read -r group || exec rm -rf -- "$1"
read -r over && exit
kill -TERM "$group"
for i in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 "$group" || break
	sleep 0.2
done
kill -KILL -- "-$group"
for i in 1 2 3 4 5; do
	rm -rf -- "$1" && sleep 0.2 && ! test -e "$1" && exit
done`

// startWatchdog starts one for a browser that apart has been called for.
func startWatchdog(profile string) (*watchdog, error) {
	w := &watchdog{shell: exec.Command("/bin/sh", "-c", watch, "bellglass-watchdog", profile)}
	apart(w.shell)
	var err error
	if w.pipe, err = w.shell.StdinPipe(); err != nil {
		return nil, err
	}
	return w, w.shell.Start()
}

// apart puts a program into a process group of its own, which no terminal's signal
// reaches.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func (w *watchdog) guard(browser *exec.Cmd) error {
	_, err := fmt.Fprintln(w.pipe, browser.Process.Pid)
	return err
}

// end ends the watchdog: the browser has ended, and its profile is this program's.
func (w *watchdog) end() error {
	_, err := io.WriteString(w.pipe, "over\n")
	w.pipe.Close()
	if waited := w.shell.Wait(); err == nil {
		err = waited
	}
	return err
}
