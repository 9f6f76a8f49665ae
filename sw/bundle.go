package sw

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Sources holds the TypeScript folders that a bundle may import from, by the folder's name in
// the repository. Any other import is an error, so that the browser runs only code that is
// embedded in the program.
type Sources map[string]fs.FS

// Bundled is one script.
type Bundled struct {
	JS []byte
	// Hash is the SHA-256 of JS in lower-case hexadecimal.
	Hash string
}

const namespace = "bellglass"

// Bundle bundles entry, a path such as "sw/src/worker.ts", and everything it imports into one
// classic script that declares no global. define replaces identifiers by constants. The error
// holds esbuild's messages with file, line, and column.
func Bundle(sources Sources, entry string, define map[string]string) (Bundled, error) {
	return bundle(sources, entry, options{define: define, format: api.FormatIIFE})
}

// BundleLine bundles like [Bundle], into one line of ASCII that can precede another script,
// whether classic or module.
func BundleLine(sources Sources, entry string) (Bundled, error) {
	line, err := bundle(sources, entry, options{format: api.FormatIIFE, line: true})
	line.JS = bytes.TrimSpace(line.JS)
	if err == nil && bytes.ContainsRune(line.JS, '\n') {
		return Bundled{}, fmt.Errorf("bundling %s: it takes more than one line", entry)
	}
	return line, err
}

// BundleModule bundles like [Bundle], into one ES module with the entry's exports. The module
// keeps the imports that external names, such as "react", and imports the value instead.
func BundleModule(sources Sources, entry string, external map[string]string) (Bundled, error) {
	return bundle(sources, entry, options{format: api.FormatESModule, external: external})
}

type options struct {
	define, external map[string]string
	format           api.Format
	line             bool
}

func bundle(sources Sources, entry string, o options) (Bundled, error) {
	charset := api.CharsetUTF8
	if o.line {
		charset = api.CharsetASCII
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry},
		Bundle:      true,
		Format:      o.format,
		Platform:    api.PlatformBrowser,
		Target:      api.ES2022,
		Charset:     charset,
		// Names and comments stay: people read this code in their browser's
		// tools, and on loopback its size does not matter.
		MinifySyntax:     !o.line, // it would write "\n" as a template literal on two lines
		MinifyWhitespace: o.line,
		LegalComments:    api.LegalCommentsNone,
		Define:           o.define,
		Plugins:          []api.Plugin{sources.plugin(o.external)},
		LogLevel:         api.LogLevelSilent,
		Write:            false,
	})
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return Bundled{}, fmt.Errorf("bundling %s: %w", entry, errors.New(strings.TrimSpace(strings.Join(text, "\n"))))
	}
	js := result.OutputFiles[0].Contents
	sum := sha256.Sum256(js)
	return Bundled{JS: js, Hash: hex.EncodeToString(sum[:])}, nil
}

// plugin resolves every import inside the sources, never on disk. It keeps the external ones.
func (s Sources) plugin(external map[string]string) api.Plugin {
	return api.Plugin{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if kept, is := external[args.Path]; is && args.Kind != api.ResolveEntryPoint {
				return api.OnResolveResult{Path: kept, External: true}, nil
			}
			name := path.Clean(args.Path)
			if args.Kind != api.ResolveEntryPoint {
				name = path.Join(path.Dir(args.Importer), args.Path)
			}
			for _, candidate := range []string{name, name + ".ts"} {
				if _, err := s.read(candidate); err == nil {
					return api.OnResolveResult{Path: candidate, Namespace: namespace}, nil
				}
			}
			return api.OnResolveResult{}, fmt.Errorf("there is no embedded source %s", name)
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := s.read(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			contents := string(text)
			return api.OnLoadResult{Contents: &contents, Loader: api.LoaderTS}, nil
		})
	}}
}

func (s Sources) read(name string) ([]byte, error) {
	folder, rest, _ := strings.Cut(name, "/")
	fsys, ok := s[folder]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(fsys, rest)
}
