//go:build unix

package cli

import (
	"fmt"
	"io/fs"
	"syscall"
)

// private returns nil if the file or folder belongs to the user and nobody else may
// read or write it.
func private(info fs.FileInfo, user int) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("its owner is not known")
	}
	if int(stat.Uid) != user {
		return fmt.Errorf("it belongs to the user %d, and this program runs as %d", stat.Uid, user)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("its mode %04o gives other users access", mode)
	}
	return nil
}
