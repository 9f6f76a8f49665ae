package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed node/package.json
var packageJSON []byte

// The lock has the hash of each package, which npm checks. It was written with
// --omit-lockfile-registry-resolved, so it names no registry.
//
//go:embed node/package-lock.json
var packageLock []byte

// installPackages makes sure that the lock's npm packages are in the cache, in one
// folder for each lock. It returns the folder.
func installPackages() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache folder for npm packages: %w", err)
	}
	sum := sha256.Sum256(packageLock)
	root := filepath.Join(cache, "bellglass-bench")
	home := filepath.Join(root, hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	progress("fetching npm packages")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(root, ".unfinished-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for name, content := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock} {
		if err := os.WriteFile(filepath.Join(work, name), content, 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = work
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("npm ci, which fetches the reference engine: %w\n%s", err, bytes.TrimSpace(said.Bytes()))
	}
	if err := os.Rename(work, home); err != nil {
		return "", err
	}
	return home, nil
}
