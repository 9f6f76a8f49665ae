// Package nss creates an NSS certificate store, which Chromium and Firefox read on Linux, with
// an authority of a test.
package nss

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"

	"github.com/bellglass/bellglass/tests/internal/programs"
)

// Trust creates a store in the folder dir that trusts the authority, whose certificate is in
// PEM, for web sites. Firefox's store is in the profile, Chromium's in $HOME/.pki/nssdb.
func Trust(dir string, authority []byte) error {
	certutil, err := programs.Certutil()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	store := "sql:" + dir
	for _, args := range [][]string{
		{"-N", "-d", store, "--empty-password"},
		{"-A", "-d", store, "-n", "Bellglass tests", "-t", "C,,", "-a"},
	} {
		cmd := exec.Command(certutil, args...)
		cmd.Stdin = bytes.NewReader(authority)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("certutil %q: %w: %s", args, err, text)
		}
	}
	return nil
}
