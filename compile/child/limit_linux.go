package child

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// program is this program, even if its file has been replaced since it started.
func program() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// limit limits this process.
func limit() error {
	if !underRace {
		hard := syscall.Rlimit{Cur: 2 * MaxMemory, Max: 2 * MaxMemory}
		if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &hard); err != nil {
			return fmt.Errorf("limit the memory: %w", err)
		}
	}
	closeInherited()
	// Without /proc, the rest is left out: it protects the speed of others, and not their lives.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	// On Linux each thread has a priority, which the threads that it starts inherit.
	threads, _ := os.ReadDir("/proc/self/task")
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		const most = 20 // the system call returns this minus the niceness
		if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && most-now < niceness {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
		}
	}
	return nil
}

// closeInherited closes the files that the parent has inherited without a close-on-exec flag. Go
// opens its own ones to close when a program starts, so one without that flag came from outside.
func closeInherited() {
	descriptors, _ := os.ReadDir("/proc/self/fd")
	for _, d := range descriptors {
		fd, err := strconv.Atoi(d.Name())
		if err != nil || fd <= syscall.Stderr {
			continue
		}
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 {
			_ = syscall.Close(fd)
		}
	}
}
