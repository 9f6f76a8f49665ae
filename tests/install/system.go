package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/bellglass/bellglass/tests/internal/chromium"
)

// A program is something that comes from the machine's package manager.
type program struct {
	name     string
	why      string
	find     func() (string, error)
	packages []string // as apt calls them
	instead  string   // what else would do, when apt cannot
	env      string   // names one that is to be used instead, and never replaced
}

var programs = []program{
	{
		name:     "a C compiler",
		why:      "Go's race detector needs cgo",
		find:     firstOf("cc", "gcc", "clang"),
		packages: []string{"gcc", "libc6-dev"},
		instead:  "install gcc or clang",
	},
	{
		name:     "Chromium",
		why:      "the tests run in it",
		find:     chromium.Find,
		packages: []string{"chromium"},
		instead:  "install Chromium, or name a browser with the environment variable " + chromium.Env,
		env:      chromium.Env,
	},
}

func firstOf(names ...string) func() (string, error) {
	return func() (string, error) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, nil
			}
		}
		return "", fmt.Errorf("none of %q found", names)
	}
}

// A machine is what installing asks of the one it runs on.
type machine struct {
	root   func() bool
	hasApt func() bool
	apt    func(ctx context.Context, args ...string) error
}

var thisMachine = machine{
	root:   func() bool { return os.Geteuid() == 0 },
	hasApt: func() bool { _, err := exec.LookPath("apt-get"); return err == nil },
	apt:    aptGet,
}

func (p program) ensure(ctx context.Context, m machine) error {
	path, err := p.find()
	if err == nil {
		progress("%s: there, %s", p.name, path)
		return nil
	}
	wanted := strings.Join(p.packages, " ")
	refuse := func(reason string) error {
		return fmt.Errorf("%s is missing (%s), and it cannot be installed from here: %s.\nRun \"apt-get install %s\" as root where there is apt; elsewhere %s",
			p.name, p.why, reason, wanted, p.instead)
	}
	switch {
	case p.env != "" && os.Getenv(p.env) != "":
		return err
	case !m.hasApt():
		return refuse("there is no apt-get")
	case !m.root():
		return refuse("this is not root")
	}
	progress("%s: missing; installing %s with apt-get", p.name, wanted)
	if err := m.apt(ctx, "update"); err != nil {
		return fmt.Errorf("apt-get update: %w", err)
	}
	install := append([]string{"install", "-y", "--no-install-recommends"}, p.packages...)
	if err := m.apt(ctx, install...); err != nil {
		return fmt.Errorf("apt-get install %s: %w", wanted, err)
	}
	if path, err = p.find(); err != nil {
		return fmt.Errorf("%s is still missing after apt-get install %s: %w", p.name, wanted, err)
	}
	progress("%s: installed, %s", p.name, path)
	return nil
}

// aptGet waits for another apt that holds the lock rather than failing.
func aptGet(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", append([]string{"-q", "-o", "DPkg::Lock::Timeout=300"}, args...)...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	cmd.Stdout = os.Stderr
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
