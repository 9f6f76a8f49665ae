package transform

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bellglass/bellglass/protocol"
)

// A Language is what a source file is written in.
type Language string

// The languages.
const (
	JavaScript Language = "js"
	JSX        Language = "jsx"
	TypeScript Language = "ts"
	TSX        Language = "tsx"
	JSON       Language = "json"
)

// A Source is one source file.
type Source struct {
	// Path is its virtual path.
	Path     string
	Language Language
	Text     string
	// Config is a tsconfig.json, of which only compilerOptions count. "" has none.
	Config string
	// Prelude is one line of JavaScript that runs before the source. [Emit] writes it.
	Prelude string
}

// A Target says what an import leads to.
type Target struct {
	// URL replaces the specifier.
	URL string
	// Problem says why the import leads nowhere, or is "".
	Problem string
	// IsFile says that the specifier is a path, and not the name of a package.
	IsFile bool
}

// An Output is the result of a function of this package.
type Output struct {
	// Code is JavaScript with an inline source map. [Emit] sets it.
	Code []byte
	// Specifiers are those of all imports, each once. Static has those of import and export
	// declarations without attributes: the browser loads them as scripts before the code runs.
	// [Scan] sets both.
	Specifiers []string
	Static     []string
	// Imports has the names that it imports. It can have more: TypeScript does not tell a type from
	// a value that a source only re-exports. HasMoreImports says that names may be left out. [Names]
	// has the exact ones, with their places. [Scan] sets both.
	Imports        []Import
	HasMoreImports bool
	// Exports are the exported names. IsOpen says that there are more, which another module
	// decides (export * from). [Scan] sets both.
	Exports []string
	IsOpen  bool
	// UsesHot says that the code has import.meta.hot. AcceptsSelf says that the module accepts its
	// own changes. Accepts has the specifiers of the imports whose changes it accepts. [Scan] sets
	// them.
	UsesHot     bool
	AcceptsSelf bool
	Accepts     []string
	// Problems are what is wrong with the source. If one is an error, there is no code.
	Problems []protocol.Diagnostic
}

// Failed reports whether the source has an error.
func (o *Output) Failed() bool {
	return slices.ContainsFunc(o.Problems, func(d protocol.Diagnostic) bool { return d.Severity == protocol.SeverityError })
}

// Scan returns what the source imports and exports.
func Scan(s Source) Output {
	var out Output
	seen, static := map[string]bool{}, map[string]bool{}
	result := build(s, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if !seen[args.Path] {
			seen[args.Path] = true
			out.Specifiers = append(out.Specifiers, args.Path)
		}
		if args.Kind == api.ResolveJSImportStatement && len(args.With) == 0 && !static[args.Path] {
			static[args.Path] = true
			out.Static = append(out.Static, args.Path)
		}
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	}, markHot)
	out.Problems = result.problems
	code := string(result.code)
	out.readHot(code)
	out.readImports(code)
	out.Exports = result.exports
	for line := range strings.Lines(code) {
		out.IsOpen = out.IsOpen || strings.HasPrefix(line, "export * from ")
	}
	return out
}

// Emit compiles the source. Each import gets the URL of its target.
func Emit(s Source, targets map[string]Target) Output {
	result := build(s, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		target := targets[args.Path]
		// An import() may fail on purpose: a program can look for a package that way.
		if target.Problem != "" && (args.Kind != api.ResolveJSDynamicImport || target.IsFile) {
			return api.OnResolveResult{Errors: []api.Message{{Text: target.Problem}}}, nil
		}
		return api.OnResolveResult{Path: cmp.Or(target.URL, args.Path), External: true}, nil
	}, func(build api.PluginBuild) {
		if s.Prelude != "" {
			build.InitialOptions.Banner = map[string]string{"js": s.Prelude}
		}
	})
	return Output{Code: result.code, Problems: result.problems}
}

type built struct {
	code     []byte
	exports  []string
	problems []protocol.Diagnostic
}

type resolve func(api.OnResolveArgs) (api.OnResolveResult, error)

// build bundles the source alone: each import stays an import, unless resolve says otherwise.
// Bundling instead of only transforming is what lets a plugin see and rewrite the imports.
func build(s Source, resolve resolve, more func(api.PluginBuild)) built {
	if problems := Refused(s); problems != nil {
		return built{problems: problems}
	}
	result := bundle(s, resolve, more)
	b := built{problems: slices.Concat(diagnostics(s.Path, protocol.SeverityError, result.Errors), diagnostics(s.Path, protocol.SeverityWarning, result.Warnings))}
	if len(result.Errors) > 0 || len(result.OutputFiles) == 0 {
		return b
	}
	if problems := overflow(s.Path, len(result.OutputFiles[0].Contents)); problems != nil {
		return built{problems: problems}
	}
	b.code = result.OutputFiles[0].Contents
	b.exports = exportsOf(result.Metafile)
	return b
}

func bundle(s Source, resolve resolve, more func(api.PluginBuild)) api.BuildResult {
	platform, define := definesFor(s.Text)
	return api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: s.Text, Sourcefile: path.Base(s.Path), Loader: loaders[s.Language]},
		Bundle: true, Format: api.FormatESModule, Platform: platform, Supported: inline, Target: api.ES2024, Charset: api.CharsetUTF8,
		Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentInclude, TreeShaking: api.TreeShakingFalse,
		LegalComments: api.LegalCommentsInline, Define: define, TsconfigRaw: s.Config, JSX: jsxOf(s.Text),
		Metafile: true, LogLevel: api.LogLevelSilent, LogLimit: 0, Write: false,
		Plugins: []api.Plugin{{Name: "imports", Setup: func(build api.PluginBuild) {
			build.OnResolve(api.OnResolveOptions{Filter: ".*"}, resolve)
			if more != nil {
				more(build)
			}
		}}},
	})
}

// classic finds a comment that names the function for elements. It is for the older way to compile
// JSX, unless the comment says otherwise.
var classic = regexp.MustCompile(`@jsx\s`)

func jsxOf(text string) api.JSX {
	if classic.MatchString(text) && !strings.Contains(text, "@jsxRuntime") {
		return api.JSXTransform
	}
	return api.JSXAutomatic
}

var loaders = map[Language]api.Loader{
	JavaScript: api.LoaderJS, JSX: api.LoaderJSX, TypeScript: api.LoaderTS, TSX: api.LoaderTSX, JSON: api.LoaderJSON,
}

// defines are what programs for development servers expect.
var defines = map[string]string{
	"process.env.NODE_ENV": `"development"`,
	"import.meta.env":      `{"BASE_URL": "/", "DEV": true, "MODE": "development", "PROD": false, "SSR": false}`,
}

// inline says that code can stand in a script element, as code for the browser always can.
var inline = map[string]bool{"inline-script": true}

// definesFor returns what a source can need of the defines. With any, esbuild 0.28 prepares those of
// some 900 globals for each build, half of the time that a small source takes. For the browser it adds
// one itself. The platform makes no other difference here, because esbuild resolves no import.
func definesFor(text string) (api.Platform, map[string]string) {
	if strings.Contains(text, "process") || strings.Contains(text, "meta") {
		return api.PlatformBrowser, defines
	}
	return api.PlatformNeutral, nil
}

// diagnostics converts the first messages of esbuild. A column counts UTF-16 code units, as
// browsers do.
func diagnostics(file string, severity protocol.Severity, messages []api.Message) (list []protocol.Diagnostic) {
	for _, m := range messages[:min(len(messages), MaxProblems)] {
		d := protocol.Diagnostic{Severity: severity, File: file, Line: 1, Column: 1, Text: m.Text}
		if at := m.Location; at != nil {
			d.Line, d.SourceLine = at.Line, shortened(at.LineText)
			d.Column = 1 + len(utf16.Encode([]rune(at.LineText[:min(at.Column, len(at.LineText))])))
		}
		for _, note := range m.Notes {
			if !strings.HasSuffix(note.Text, ":") { // otherwise it is about another place
				d.Text += " " + note.Text
			}
		}
		d.Text = shortened(d.Text)
		list = append(list, d)
	}
	return list
}
