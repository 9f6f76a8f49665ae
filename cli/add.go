package cli

import (
	"errors"
	"fmt"

	"github.com/bellglass/bellglass/packages"
)

type addCommand struct {
	Packages []string `arg:"" optional:"" name:"package" help:"Packages to add, as NAME or NAME@RANGE. Default: those that package.json has." placeholder:"PACKAGE"`

	Starter      bool   `help:"Fetch the packages that models use without being asked to, and change no folder. Afterwards add --offline finds them."`
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
	if c.Starter && (len(c.Packages) > 0 || c.Dir != "") {
		return errors.New("--starter fetches a list of its own, and takes neither packages nor --dir")
	}
	progress := newProgress(std.err)
	options := packages.Options{
		Cache: c.PackageCache, Offline: c.Offline, Registry: c.Registry,
		Say: func(say string) { progress.say(fmt.Sprintf("%-60.60s", oneLine(say))) },
	}
	add := func() (*packages.Set, []packages.Added, error) { return packages.Add(ctx, dir, c.Packages, options) }
	if c.Starter {
		add = func() (*packages.Set, []packages.Added, error) { return packages.Starter(ctx, options) }
	}
	set, added, err := add()
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
