package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"

	"github.com/bellglass/bellglass/client"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sw"
)

//go:embed node/*.ts react/*.ts README.md
var own embed.FS

// entries are the modules of the package, by the name of the file without ".js".
var entries = []struct{ name, source, declaration string }{
	{"bellglass", "client/index.ts", ""},
	{"react", "pack/react/react.ts", "react/react.d.ts"},
	{"node", "pack/node/client.ts", "node/node.d.ts"},
}

// contents returns the files of the package by name, except the license.
func contents(version string) (map[string][]byte, error) {
	manifest, err := manifest(version)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"package.json": manifest, "bellglass.d.ts": client.Declaration()}
	sources := sw.Sources{"client": client.TypeScript, "protocol": protocol.TypeScript, "pack": own}
	for _, entry := range entries {
		// The component uses the package's own library, so a page has it once.
		module, err := sw.BundleModule(sources, entry.source, map[string]string{"react": "react", "bellglass": "./bellglass.js"})
		if err != nil {
			return nil, err
		}
		files[entry.name+".js"] = module.JS
		if entry.declaration != "" {
			if files[entry.name+".d.ts"], err = own.ReadFile(entry.declaration); err != nil {
				return nil, err
			}
		}
	}
	for name, source := range map[string]string{"schemas.gen.d.ts": "node/schemas.gen.ts", "README.md": "README.md"} {
		if files[name], err = own.ReadFile(source); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// An export is where a module and its types are. Compilers take the first that they know.
type export struct {
	Types   string `json:"types"`
	Default string `json:"default"`
}

func manifest(version string) ([]byte, error) {
	type object = map[string]any
	exports := object{"./package.json": "./package.json"}
	for _, entry := range entries {
		path := "./" + entry.name
		if entry.name == "bellglass" {
			path = "."
		}
		exports[path] = export{"./" + entry.name + ".d.ts", "./" + entry.name + ".js"}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(object{
		"name":        "bellglass",
		"version":     version,
		"description": "Runs untrusted web code in a browser, under glass: the element, a React component, and a client of the HTTP API",
		"license":     "Apache-2.0",
		"repository":  object{"type": "git", "url": "git+https://github.com/bellglass/bellglass.git", "directory": "client"},
		"type":        "module",
		"exports":     exports,
		// Importing the library defines the element.
		"sideEffects":          []string{"./bellglass.js", "./react.js"},
		"engines":              object{"node": ">=20"},
		"peerDependencies":     object{"react": "^18.0.0 || ^19.0.0"},
		"peerDependenciesMeta": object{"react": object{"optional": true}},
	})
	if err != nil {
		return nil, fmt.Errorf("writing package.json: %w", err)
	}
	return text.Bytes(), nil
}
