//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// niceness is the priority of a child.
const niceness = 10

// apart lets a child start in a process group of its own, which a terminal's signals do not
// reach, and in no folder that somebody may want to remove.
func apart(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
