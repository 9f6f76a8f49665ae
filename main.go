// Bellglass runs untrusted web code in a browser, under glass: everything it
// does can be seen, and nothing gets out unless a rule says so. See README.md.
package main

import (
	"os"

	"github.com/bellglass/bellglass/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
