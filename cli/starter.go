package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bellglass/bellglass/rules"
)

type starterRules struct {
	Name string `arg:"" optional:"" help:"Policy to print. Default: list all."`
}

// Validate is called after the command line has been parsed.
func (c *starterRules) Validate() error {
	var names []string
	for _, s := range rules.Starters() {
		names = append(names, s.Name)
	}
	if c.Name == "" || slices.Contains(names, c.Name) {
		return nil
	}
	return fmt.Errorf("there is no starter policy %q; they are %s", c.Name, strings.Join(names, ", "))
}

func (c *starterRules) Run(std streams) error {
	table := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, s := range rules.Starters() {
		if s.Name == c.Name {
			_, err := std.out.Write(s.Text)
			return err
		}
		fmt.Fprintf(table, "%s\t%s\n", s.Name, s.Title)
	}
	return table.Flush()
}

type schemaOfRules struct{}

func (c *schemaOfRules) Run(std streams) error {
	_, err := std.out.Write(rules.Schema())
	return err
}
