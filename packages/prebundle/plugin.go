package prebundle

import (
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bellglass/bellglass/packages/nodejs"
)

// Namespaces of the modules that esbuild sees.
const (
	spacePackage = "package" // files of the package
	spaceEntry   = "entry"   // modules in place of CommonJS entries
	spaceStub    = "stub"    // modules in place of what is missing; the path is their text
	spaceRequire = "require" // another package, as require returns it
	spaceBridge  = "bridge"  // the ES module below that
)

// A place is what a specifier means.
type place struct {
	kind    placeKind
	file    string // of this package
	name    string // of another package
	subpath string
	suffix  string // "?…" or "#…" behind the file
}

type placeKind int

const (
	missing placeKind = iota
	inside            // a file of this package
	another           // a subpath of another package
	builtin           // a module of Node.js
	address           // a URL, which stays as it is
)

// locate finds what a specifier in a file means. kind is import or require.
func (b *builder) locate(specifier, importer, kind string) place {
	if strings.HasPrefix(specifier, "/") { // only modules of ours have such
		return place{kind: inside, file: strings.TrimPrefix(specifier, "/")}
	}
	if isURL(specifier) {
		return place{kind: address}
	}
	if specifier == "." || specifier == ".." || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") {
		name := path.Join(path.Dir(importer), specifier)
		if strings.HasSuffix(specifier, "/") { // a folder, even if there is a file of that name
			if file, ok := b.locator.file(path.Join(name, "index")); ok {
				return place{kind: inside, file: b.locator.browserFile(file)}
			}
		}
		return b.fileAt(name)
	}
	if to, ok := b.locator.manifest.replace[specifier]; ok {
		if to == nil {
			return place{kind: inside, file: nothing}
		}
		if file, ok := b.locator.file(path.Clean(*to)); ok && strings.HasPrefix(*to, ".") {
			return place{kind: inside, file: file}
		}
		specifier = *to
	}
	if strings.HasPrefix(specifier, "#") {
		to, ok := "", false
		if b.locator.manifest.imports != nil {
			to, ok = target(b.locator.manifest.imports, specifier, b.locator.conditions(kind))
		}
		switch {
		case !ok || strings.HasPrefix(to, "#"):
			return place{kind: missing}
		case strings.HasPrefix(to, "./"):
			return b.fileAt(path.Clean(to))
		}
		specifier = to
	}
	name, subpath := SplitSpecifier(specifier)
	if name == b.in.Name {
		if file, err := b.locator.subpath(subpath, kind); err == nil {
			return place{kind: inside, file: file}
		}
	}
	if !strings.HasPrefix(specifier, "node:") && b.in.Other(name) != "" {
		return place{kind: another, name: name, subpath: subpath}
	}
	if nodejs.HasModule(specifier) {
		return place{kind: builtin}
	}
	return place{kind: missing}
}

// fileAt returns the file at a path, which may have a query or a fragment behind it.
func (b *builder) fileAt(name string) place {
	if file, ok := b.locator.file(name); ok {
		return place{kind: inside, file: b.locator.browserFile(file)}
	}
	if at := strings.IndexAny(name, "?#"); at > 0 {
		if file, ok := b.locator.file(name[:at]); ok {
			return place{kind: inside, file: b.locator.browserFile(file), suffix: name[at:]}
		}
	}
	return place{kind: missing}
}

func isURL(specifier string) bool {
	return strings.HasPrefix(specifier, "data:") || strings.HasPrefix(specifier, "https:") || strings.HasPrefix(specifier, "http:") || strings.HasPrefix(specifier, "blob:") || strings.HasPrefix(specifier, "//")
}

// SplitSpecifier splits "react-dom/client" into the name of a package and a subpath,
// "react-dom" and "./client". The subpath of a name alone is ".".
func SplitSpecifier(specifier string) (name, subpath string) {
	parts := strings.SplitN(specifier, "/", 3)
	n := 1
	if strings.HasPrefix(specifier, "@") {
		n = 2
	}
	n = min(n, len(parts))
	name = strings.Join(parts[:n], "/")
	if rest := strings.TrimSuffix(strings.Join(parts[n:], "/"), "/"); rest != "" {
		return name, "./" + rest
	}
	return name, "."
}

// plugin makes esbuild read the package, and nothing else.
func (b *builder) plugin() api.Plugin {
	return api.Plugin{Name: "bellglass", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, b.resolve)
		build.OnLoad(api.OnLoadOptions{Filter: ".*"}, b.load)
	}}
}

func (b *builder) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	if args.Kind == api.ResolveEntryPoint {
		if file, ok := strings.CutPrefix(args.Path, "\x00entry/"); ok {
			return api.OnResolveResult{Path: file, Namespace: spaceEntry}, nil
		}
		return api.OnResolveResult{Path: strings.TrimPrefix(args.Path, "/"), Namespace: spacePackage}, nil
	}
	switch args.Namespace {
	case spaceRequire:
		return api.OnResolveResult{Path: args.Path, Namespace: spaceBridge}, nil
	case spaceBridge:
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	}
	kind, style := "import", args.Kind == api.ResolveCSSImportRule || args.Kind == api.ResolveCSSURLToken || args.Kind == api.ResolveCSSComposesFrom
	require := args.Kind == api.ResolveJSRequireCall || args.Kind == api.ResolveJSRequireResolve
	if require {
		kind = "require"
	}
	where := place{}
	if style {
		where = b.locateStyle(args.Path, args.Importer)
	} else {
		where = b.locate(args.Path, args.Importer, kind)
	}
	switch where.kind {
	case inside:
		if where.file == nothing {
			return stub("module.exports = {}\n"), nil
		}
		if !style && path.Ext(where.file) == ".css" {
			note(b, b.styles, where.file)
			return stub(styleStub(b.in.Dir + "/" + stylePath(where.file))), nil
		}
		return api.OnResolveResult{Path: where.file, Namespace: spacePackage, Suffix: where.suffix}, nil
	case another:
		note(b, b.imports, Import{where.name, where.subpath})
		extension := ".js"
		if path.Ext(where.subpath) == ".css" {
			extension = ".css"
		}
		at := b.in.Other(where.name) + "/" + strings.TrimSuffix(outputName(where.subpath), ".css") + extension
		switch {
		case extension == ".css" && !style:
			return stub(styleStub(at)), nil
		case require:
			return api.OnResolveResult{Path: at, Namespace: spaceRequire}, nil
		}
		return api.OnResolveResult{Path: at, External: true}, nil
	case builtin:
		b.diagnose("%s imports the module %s of Node.js, which browsers lack; it throws when it is used", b.locator.id, args.Path)
		return stub(builtinStub(args.Path, b.locator.id)), nil
	case address:
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	}
	if style {
		b.diagnose("the style sheet %s of %s refers to %q, which it lacks", args.Importer, b.locator.id, args.Path)
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	}
	b.diagnose("%s imports %q in %s, which is neither in it nor among its dependencies; that throws when it runs", b.locator.id, args.Path, args.Importer)
	return stub(missingStub(args.Path, b.locator.id)), nil
}

// locateStyle finds what a style sheet refers to. A path need not begin with a dot there.
func (b *builder) locateStyle(specifier, importer string) place {
	if isURL(specifier) || strings.HasPrefix(specifier, "#") || strings.HasPrefix(specifier, "/") || specifier == "" {
		return place{kind: address}
	}
	if where := b.fileAt(path.Join(path.Dir(importer), specifier)); where.kind == inside {
		return where
	}
	return b.locate(strings.TrimPrefix(specifier, "~"), importer, "import")
}

func stub(text string) api.OnResolveResult {
	return api.OnResolveResult{Path: text, Namespace: spaceStub}
}

func (b *builder) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	text, loader := "", api.LoaderJS
	switch args.Namespace {
	case spaceEntry:
		text = b.entries[args.Path]
	case spaceStub:
		text = args.Path
	case spaceRequire:
		text = fmt.Sprintf("module.exports = require(%q).value\n", args.Path)
	case spaceBridge:
		text = bridge(args.Path)
	case spacePackage:
		if args.Path == nothing {
			break
		}
		source, err := b.in.Files.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		note(b, b.reads, args.Path)
		text, loader = string(source), loaderOf(args.Path)
	default:
		return api.OnLoadResult{}, fmt.Errorf("a file outside of the package: %.100q", args.Path)
	}
	return api.OnLoadResult{Contents: &text, Loader: loader}, nil
}
