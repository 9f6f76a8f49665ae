package mcp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bellglass/bellglass/tests/internal/npm"
)

// libraries are the packages that a script may import, with their own imports.
var libraries = []string{
	"@modelcontextprotocol/ext-apps", "@modelcontextprotocol/client", "@modelcontextprotocol/core", "zod", "pkce-challenge", "eventsource", "eventsource-parser", "jose",
	"@mcp-ui/client", "@modelcontextprotocol/sdk", "zod-to-json-schema", "react", "react-dom", "scheduler",
}

// Bundle returns a classic script that does what the module does. The module may
// contain React's JSX. dir is an empty folder of the caller's.
func Bundle(dir, module string) (string, error) {
	if err := link(dir, libraries); err != nil {
		return "", err
	}
	result := api.Build(api.BuildOptions{
		Stdin:            &api.StdinOptions{Contents: module, ResolveDir: dir, Loader: api.LoaderJSX},
		JSX:              api.JSXAutomatic,
		Bundle:           true,
		Format:           api.FormatIIFE,
		Platform:         api.PlatformBrowser,
		Target:           api.ES2022,
		PreserveSymlinks: true,
		MinifyWhitespace: true,
		Define:           map[string]string{"process.env.NODE_ENV": `"production"`},
		LegalComments:    api.LegalCommentsNone,
	})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("bundling: %s", result.Errors[0].Text)
	}
	return string(result.OutputFiles[0].Contents), nil
}

// link puts npm packages into the node_modules of a folder.
func link(dir string, names []string) error {
	for _, name := range names {
		from, err := npm.Dir(name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(from, to)); err != nil {
			return err
		}
	}
	return nil
}
