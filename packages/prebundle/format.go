package prebundle

import (
	"encoding/json"
	"path"

	"github.com/evanw/esbuild/pkg/api"
)

// Formats of a file.
type format int

const (
	formatModule   format = iota // an ES module, or a script that exports nothing
	formatCommonJS               // what uses exports, module, or require
	formatStyle                  // CSS
	formatOther                  // data, or a file whose address is exported
)

// loaders says how esbuild reads a file. All other files are copied, and export their address.
var loaders = map[string]api.Loader{
	".js": api.LoaderJS, ".mjs": api.LoaderJS, ".cjs": api.LoaderJS, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX,
	".json": api.LoaderJSON, ".css": api.LoaderCSS, ".txt": api.LoaderText,
}

func loaderOf(name string) api.Loader {
	if loader, ok := loaders[path.Ext(name)]; ok {
		return loader
	}
	return api.LoaderFile
}

// formatOf returns the format of a file by its syntax. package.json and the extension are
// often wrong, and bundlers ignore them.
func formatOf(name string, source []byte) format {
	switch loader := loaderOf(name); loader {
	case api.LoaderCSS:
		return formatStyle
	case api.LoaderJSON, api.LoaderText, api.LoaderFile:
		return formatOther
	default:
		result := api.Build(api.BuildOptions{
			Stdin:    &api.StdinOptions{Contents: string(source), Loader: loader},
			Bundle:   true, // without it esbuild does not say the format
			Format:   api.FormatESModule,
			Metafile: true,
			LogLevel: api.LogLevelSilent,
			Define:   defines(false),
			Plugins: []api.Plugin{{Name: "alone", Setup: func(b api.PluginBuild) {
				b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
					return api.OnResolveResult{Path: args.Path, External: true}, nil
				})
			}}},
		})
		var said struct {
			Inputs map[string]struct {
				Format string `json:"format"`
			} `json:"inputs"`
		}
		if json.Unmarshal([]byte(result.Metafile), &said) == nil {
			for _, input := range said.Inputs {
				if input.Format == "cjs" {
					return formatCommonJS
				}
			}
		}
		return formatModule
	}
}

// defines replaces what browsers lack.
func defines(development bool) map[string]string {
	mode := `"production"`
	if development {
		mode = `"development"`
	}
	return map[string]string{
		"process.env.NODE_ENV": mode,
		"process.env":          `{}`,
		"global":               "globalThis",
	}
}
