package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/programs"
)

// A requirement is a program that the machine's package manager provides.
type requirement struct {
	name     string
	why      string
	find     func() (string, error)
	packages []string // names of apt packages
	instead  string   // what the user can do if apt is not available
	env      string   // the environment variable that names a replacement, which is then used and never changed
}

var requirements = []requirement{
	{
		name:     "a C compiler",
		why:      "Go's race detector needs cgo",
		find:     firstOf("cc", "gcc", "clang"),
		packages: []string{"gcc", "libc6-dev"},
		instead:  "install gcc or clang",
	},
	{
		name:     "curl",
		why:      "the examples of docs/api.md are run with it",
		find:     firstOf("curl"),
		packages: []string{"curl"},
		instead:  "install curl",
	},
	{
		name:     "Chromium",
		why:      "the tests run in it",
		find:     chromium.Find,
		packages: []string{"chromium"},
		instead:  "install Chromium, or name a browser with the environment variable " + chromium.Env,
		env:      chromium.Env,
	},
	{
		name:     "Firefox",
		why:      "some tests run in it",
		find:     programs.Firefox,
		packages: []string{"firefox-esr"},
		instead:  "install Firefox, or name one with the environment variable " + programs.FirefoxEnv,
		env:      programs.FirefoxEnv,
	},
	{
		name:     "WebKitGTK's driver",
		why:      "some tests run in WebKitGTK",
		find:     programs.WebKitDriver,
		packages: []string{"webkit2gtk-driver"}, // the package contains the browser, too
		instead:  "install WebKitWebDriver and MiniBrowser, or name a driver with the environment variable " + programs.WebKitDriverEnv,
		env:      programs.WebKitDriverEnv,
	},
	{
		name:     "Xvfb",
		why:      "WebKitGTK does not run without a screen",
		find:     programs.Xvfb,
		packages: []string{"xvfb", "xauth"},
		instead:  "install Xvfb",
	},
	{
		name:     "nginx",
		why:      "tests put it in front of the server, as docs/deploy.md shows",
		find:     programs.Nginx,
		packages: []string{"nginx"},
		instead:  "install nginx",
	},
	{
		name:     "Caddy",
		why:      "tests put it in front of the server, as docs/deploy.md shows",
		find:     programs.Caddy,
		packages: []string{"caddy"},
		instead:  "install Caddy",
	},
	{
		name:     "certutil",
		why:      "tests give Firefox an authority of their own",
		find:     programs.Certutil,
		packages: []string{"libnss3-tools"},
		instead:  "install the tools of NSS",
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

// A machine is what the installation needs from the machine it runs on.
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

func (r requirement) ensure(ctx context.Context, m machine) error {
	path, err := r.find()
	if err == nil {
		progress("%s: there, %s", r.name, path)
		return nil
	}
	wanted := strings.Join(r.packages, " ")
	refuse := func(reason string) error {
		return fmt.Errorf("%s is missing (%s), and it cannot be installed from here: %s.\nRun \"apt-get install %s\" as root where there is apt; elsewhere %s",
			r.name, r.why, reason, wanted, r.instead)
	}
	switch {
	case r.env != "" && os.Getenv(r.env) != "":
		return err
	case !m.hasApt():
		return refuse("there is no apt-get")
	case !m.root():
		return refuse("this is not root")
	}
	progress("%s: missing; installing %s with apt-get", r.name, wanted)
	if err := m.apt(ctx, "update"); err != nil {
		return fmt.Errorf("apt-get update: %w", err)
	}
	install := append([]string{"install", "-y", "--no-install-recommends"}, r.packages...)
	if err := m.apt(ctx, install...); err != nil {
		return fmt.Errorf("apt-get install %s: %w", wanted, err)
	}
	if path, err = r.find(); err != nil {
		return fmt.Errorf("%s is still missing after apt-get install %s: %w", r.name, wanted, err)
	}
	progress("%s: installed, %s", r.name, path)
	return nil
}

// aptGet waits for another apt that holds the lock, instead of failing.
func aptGet(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", append([]string{"-q", "-o", "DPkg::Lock::Timeout=300"}, args...)...)
	// With run level 1, no package starts its service.
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
	cmd.Stdout = os.Stderr
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
