package child

import (
	"os"
	"os/exec"
	"syscall"
)

const belowNormalPriority = 0x4000 // BELOW_NORMAL_PRIORITY_CLASS

// program is this program.
func program() (string, error) { return os.Executable() }

// apart lets a child start without a window, in a group that a terminal's signals do not reach,
// and with a low priority.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | belowNormalPriority}
}

// limit does nothing: the parent sets the priority of the process.
func limit() error { return nil }
