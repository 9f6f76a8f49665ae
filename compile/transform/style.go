package transform

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bellglass/bellglass/protocol"
)

// Styled is a compiled CSS module.
type Styled struct {
	// CSS has the names that Code exports.
	CSS []byte
	// Code exports the names by the names in the source, each by itself and all as default.
	Code     []byte
	Problems []protocol.Diagnostic
}

// Style compiles the CSS module at a path. Two modules never have a name in common: a name
// contains a hash of the path. Only url() may refer to other files.
func Style(file, text string) Styled {
	if problems := Refused(Source{Path: file, Text: text}); problems != nil {
		return Styled{Problems: problems}
	}
	const styles = "style"
	sum := sha256.Sum256([]byte(file))
	name := strings.TrimSuffix(path.Base(file), ".css") + "-" + hex.EncodeToString(sum[:4]) + ".css"
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: `export { default } from "style"; export * from "style";`, Loader: api.LoaderJS},
		Bundle: true, Format: api.FormatESModule, Outdir: "/", Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent, Write: false,
		Plugins: []api.Plugin{{Name: "style", Setup: func(build api.PluginBuild) {
			build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				switch args.Kind {
				case api.ResolveJSImportStatement:
					return api.OnResolveResult{Path: name, Namespace: styles}, nil
				case api.ResolveCSSURLToken:
					return api.OnResolveResult{Path: rooted(file, args.Path), External: true}, nil
				default:
					return api.OnResolveResult{Errors: []api.Message{{Text: "A CSS module of Bellglass refers to no other style sheet. Import the other file from JavaScript."}}}, nil
				}
			})
			build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: styles}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderLocalCSS}, nil
			})
		}}},
	})
	s := Styled{Problems: slices.Concat(diagnostics(file, protocol.SeverityError, result.Errors), diagnostics(file, protocol.SeverityWarning, result.Warnings))}
	for _, output := range result.OutputFiles {
		if problems := overflow(file, len(output.Contents)); problems != nil {
			return Styled{Problems: problems}
		}
		if strings.HasSuffix(output.Path, ".css") {
			s.CSS = output.Contents
		} else {
			s.Code = output.Contents
		}
	}
	return s
}

// rooted returns a relative reference of a file as one from the root. Other references stay.
func rooted(file, reference string) string {
	if strings.HasPrefix(reference, "/") || strings.HasPrefix(reference, "#") || strings.Contains(reference, ":") {
		return reference
	}
	return path.Join(path.Dir(file), reference)
}
