package npm

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A fetcher downloads the tarball of a package to dir and returns its path.
type fetcher func(ctx context.Context, p Package, dir string) (string, error)

// Install makes sure that p is in the cache, and reports whether it had to be fetched.
// If it is there already, that costs one stat.
func Install(ctx context.Context, p Package) (fetched bool, err error) {
	root, err := cacheRoot()
	if err != nil {
		return false, err
	}
	return install(ctx, root, p, npmPack)
}

func install(ctx context.Context, root string, p Package, fetch fetcher) (bool, error) {
	if _, err := p.dir(root); err == nil {
		return false, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return false, err
	}
	// In root, because a rename cannot cross file systems.
	work, err := os.MkdirTemp(root, ".unfinished-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)

	file, err := fetch(ctx, p, work)
	if err != nil {
		return false, fmt.Errorf("fetching %s: %w", p, err)
	}
	// Read once, so that the verified bytes are the unpacked ones.
	tarball, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	if err := verify(tarball, p.Integrity); err != nil {
		return false, fmt.Errorf("%s: %w", p, err)
	}
	unpacked := filepath.Join(work, "unpacked")
	if err := unpack(bytes.NewReader(tarball), unpacked); err != nil {
		return false, fmt.Errorf("unpacking %s: %w", p, err)
	}
	if err := os.Rename(unpacked, p.home(root)); err != nil {
		if _, there := p.dir(root); there == nil {
			return false, nil // another run was faster, with the same bytes
		}
		return false, err
	}
	return true, nil
}

func verify(tarball []byte, integrity string) error {
	want, ok := strings.CutPrefix(integrity, "sha512-")
	if !ok {
		return fmt.Errorf("integrity %q in the table is not a sha512", integrity)
	}
	sum := sha512.Sum512(tarball)
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != want {
		return fmt.Errorf("the tarball is not the pinned one: its integrity is sha512-%s, the table says sha512-%s", got, want)
	}
	return nil
}

func npmPack(ctx context.Context, p Package, dir string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("npm is needed to download it: install Node.js with npm")
	}
	cmd := exec.CommandContext(ctx, npm, "pack", "--silent", p.String())
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w\n%s", p, err, strings.TrimSpace(stderr.String()))
	}
	// npm prints the file's name on the last line.
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return filepath.Join(dir, filepath.Base(lines[len(lines)-1])), nil
}
