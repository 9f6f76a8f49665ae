// Package nss makes the certificate store that Chromium and Firefox read on Linux, NSS's, with
// an authority that a test has made.
package nss

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"

	"github.com/bellglass/bellglass/tests/internal/programs"
)

// Trust makes a store in the folder, which trusts the authority of a PEM text to name web
// sites. Firefox has its store in the profile, Chromium in $HOME/.pki/nssdb.
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
