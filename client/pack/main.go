// Command pack writes the npm package bellglass into a folder, for npm pack or npm publish. It
// needs no Node.js. Run it in the root of the repository:
//
//	go run -buildvcs=true ./client/pack DIR
//
// # Contents
//
//   - bellglass: the browser library, as the server serves it.
//   - bellglass/react: react/react.ts, a component around the element.
//   - bellglass/node: node/client.ts, a client of the HTTP API. Its types for bodies are
//     generated from the OpenAPI document.
//
// The types of all three are written by hand, for people. tests/declaration checks them against
// the code, and tests/npmpackage checks the finished package.
//
// The package has the version of the module, as package internal/version says it. The library
// has the protocol number of the sources. At a server with another one, the element fails with
// version-mismatch.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bellglass/bellglass/internal/version"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: pack DIR, with a folder that is empty or does not exist")
	}
	files, err := contents(version.NPM(version.Of()))
	if err != nil {
		return err
	}
	if files["LICENSE"], err = os.ReadFile("LICENSE"); err != nil {
		return fmt.Errorf("%w; run this program in the root of the repository", err)
	}
	return write(args[0], files)
}

// write writes the files. It rejects a folder that has files already, because npm would pack
// them, too.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("the folder %s is not empty: it has %s; name another one", dir, there[0].Name())
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
