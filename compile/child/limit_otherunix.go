//go:build unix && !linux

package child

import (
	"os"
	"syscall"
)

// program is this program.
func program() (string, error) { return os.Executable() }

// limit limits this process.
func limit() error {
	// It protects the speed of others, and fails if the process has a lower priority already.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	return nil
}
