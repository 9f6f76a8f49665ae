package cli

import (
	"fmt"

	"github.com/bellglass/bellglass/packages"
)

type addCommand struct {
	Packages []string `arg:"" optional:"" name:"package" help:"Packages to add, as NAME or NAME@RANGE. Default: those that package.json has." placeholder:"PACKAGE"`

	Dir          string `help:"Folder with package.json, which is created if it is missing. Default: the current folder." placeholder:"DIR"`
	Offline      bool   `help:"Ask no registry: use the package cache alone."`
	Registry     string `help:"Address of the npm registry. Default: that of npm's configuration." placeholder:"URL"`
	PackageCache string `help:"Folder of the package cache. Default: bellglass in the user's cache folder." placeholder:"DIR"`
	JSON         bool   `help:"Print one JSON document."`
}

// Help returns the text that add --help prints before the flags.
func (*addCommand) Help() string {
	return `Packages come from an npm registry, by the user's configuration of npm (.npmrc), without Node.js. Their versions are written to dependencies in package.json, and to bellglass-lock.json beside it. Nothing of a package runs, neither its install scripts nor its code. Each package is bundled as ES modules for browsers. See docs/packages.md.`
}

// addedDocument is what add --json prints.
type addedDocument struct {
	Added    []packages.Added `json:"added"`
	Packages int              `json:"packages"` // with all that they depend on
	Notes    []string         `json:"notes"`
}

// Run adds the packages and prints their versions.
func (c *addCommand) Run(std streams) error {
	ctx, stop := untilTold()
	defer stop()
	dir := c.Dir
	if dir == "" {
		dir = "."
	}
	progress := newProgress(std.err)
	set, added, err := packages.Add(ctx, dir, c.Packages, packages.Options{
		Cache: c.PackageCache, Offline: c.Offline, Registry: c.Registry,
		Say: func(say string) { progress.say(fmt.Sprintf("%-60.60s", oneLine(say))) },
	})
	progress.end()
	if err != nil {
		return err
	}
	notes := append([]string{}, set.Notes()...)
	if c.JSON {
		return printJSON(std.out, addedDocument{Added: append([]packages.Added{}, added...), Packages: set.Size(), Notes: notes})
	}
	for _, note := range notes {
		fmt.Fprintf(std.err, "note: %s\n", message(note))
	}
	for _, each := range added {
		if _, err := fmt.Fprintf(std.out, "%s %s\n", oneLine(each.Name), oneLine(each.Version)); err != nil {
			return err
		}
	}
	return nil
}
