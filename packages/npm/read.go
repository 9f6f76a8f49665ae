package npm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ReadConfig reads the configuration that npm would use in dir: .npmrc of the user's home, or
// the file that npm_config_userconfig names; .npmrc of dir; and the environment. An empty dir
// means the user's configuration alone. registry overrides all of them, unless it is empty.
//
// The file .npmrc of dir can send the user's environment variables to its registry, as with
// npm. So dir must be a folder that the user trusts.
func ReadConfig(dir, registry string) (*Config, error) {
	c := &Config{}
	user := os.Getenv("npm_config_userconfig")
	if home, err := os.UserHomeDir(); user == "" && err == nil {
		user = filepath.Join(home, ".npmrc")
	}
	files := []string{user}
	if dir != "" {
		files = append(files, filepath.Join(dir, ".npmrc"))
	}
	for _, name := range files {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("cannot read npm's configuration: %w", err)
		}
		if err := c.Add(name, text, os.LookupEnv); err != nil {
			return nil, err
		}
	}
	if err := c.AddEnvironment(os.Environ()); err != nil {
		return nil, err
	}
	if registry != "" {
		return c, c.SetRegistry(registry, "--registry")
	}
	c.ask = askNPM
	return c, nil
}

// askNPM returns the default registry of npm, if this machine has it, or "". No registry has its
// name in this program: npm has the default, and its packager may have changed it. It takes a
// quarter of a second, so a lock whose packages are in the cache does without.
func askNPM() string {
	program, err := exec.LookPath("npm")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, program, "config", "get", "registry")
	command.Dir = os.TempDir() // not in a folder with a configuration of its own
	out, err := command.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
