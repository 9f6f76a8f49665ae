//go:build unix

package cli

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A watchdog ends a browser and removes its profile once this program is gone, even if
// it was killed. It is a shell that reads a pipe. If the pipe closes before it receives
// the final line, the program is gone.
type watchdog struct {
	shell *exec.Cmd
	pipe  io.WriteCloser
}

// The first line names the browser's process group, the second says that everything is
// over. A browser that is asked to exit removes its own temporary files.
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

// startWatchdog starts a watchdog for a browser that was prepared with apart.
func startWatchdog(profile string) (*watchdog, error) {
	w := &watchdog{shell: exec.Command("/bin/sh", "-c", watch, "bellglass-watchdog", profile)}
	apart(w.shell)
	var err error
	if w.pipe, err = w.shell.StdinPipe(); err != nil {
		return nil, err
	}
	return w, w.shell.Start()
}

// apart makes a program start in its own process group, which a terminal's signals do
// not reach.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func (w *watchdog) guard(browser *exec.Cmd) error {
	_, err := fmt.Fprintln(w.pipe, browser.Process.Pid)
	return err
}

// end ends the watchdog after the browser has ended. This program removes the profile
// itself.
func (w *watchdog) end() error {
	_, err := io.WriteString(w.pipe, "over\n")
	w.pipe.Close()
	if waited := w.shell.Wait(); err == nil {
		err = waited
	}
	return err
}
