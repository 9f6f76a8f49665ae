//go:build !unix

package cli

import "io/fs"

// private accepts every file where file modes say nothing about other users. There, a
// user's state folder belongs to that user.
func private(fs.FileInfo, int) error { return nil }
