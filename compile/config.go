package compile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// config is what a tsconfig.json says that matters to a transform.
type config struct {
	// raw is a tsconfig.json for esbuild, or "".
	raw string
	// paths maps patterns of specifiers to paths from the root of the sandbox.
	paths []mapping
}

// mapping is an entry of compilerOptions.paths. before and after stand around its asterisk.
type mapping struct {
	before, after string
	isPattern     bool
	targets       []string
}

// configFile is a tsconfig.json as it is written.
type configFile struct {
	Extends         json.RawMessage `json:"extends"`
	Files           *[]string       `json:"files"`
	References      []reference     `json:"references"`
	CompilerOptions map[string]any  `json:"compilerOptions"`
}

type reference struct {
	Path string `json:"path"`
}

// relevant are the compiler options that esbuild reads. Others, such as strict, concern only the
// type checker.
var relevant = []string{
	"experimentalDecorators", "emitDecoratorMetadata", "importsNotUsedAsValues", "preserveValueImports", "verbatimModuleSyntax",
	"useDefineForClassFields", "target", "jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "alwaysStrict",
}

// Limits of a configuration. A tsconfig.json is untrusted, and is read in this process: its parser
// calls itself for each bracket, and a file can extend itself a hundred times on each of 8 levels.
const (
	maxConfigFile = 64 << 10 // bytes
	maxBrackets   = 10_000   // opening ones in a file, which bound its nesting
	maxReads      = 50       // of files for one configuration
	maxMappings   = 200      // in compilerOptions.paths, where each path of a pattern counts
)

// configs reads the configurations of a sandbox, each once.
type configs struct {
	files    *vfs.Snapshot
	left     int // reads for the configuration at hand
	byFolder map[string]config
	problems []protocol.Diagnostic
	reported map[string]bool
}

func newConfigs(files *vfs.Snapshot) *configs {
	return &configs{files: files, byFolder: map[string]config{}, reported: map[string]bool{}}
}

// of returns the configuration for the files in a folder: the nearest tsconfig.json or
// jsconfig.json in it or above it.
func (c *configs) of(folder string) config {
	if known, ok := c.byFolder[folder]; ok {
		return known
	}
	var found config
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		if file := path.Join(folder, name); c.has(file) {
			found = c.compiled(file)
			c.byFolder[folder] = found
			return found
		}
	}
	if folder != "/" {
		found = c.of(path.Dir(folder))
	}
	c.byFolder[folder] = found
	return found
}

func (c *configs) has(file string) bool {
	_, ok := c.files.Lookup(file)
	return ok
}

func (c *configs) compiled(file string) config {
	options, bases := map[string]any{}, map[string]string{}
	c.left = maxReads
	c.read(file, options, bases, 0)
	if c.left < 0 {
		c.report(at(file, nil, 0, fmt.Sprintf("The file and what it extends or refers to are more than %d files. Extend fewer files.", maxReads)))
	}
	var made config
	kept := map[string]any{}
	for _, name := range relevant {
		if value, ok := options[name]; ok {
			kept[name] = value
		}
	}
	if kept["jsx"] == "preserve" || kept["jsx"] == "react-native" {
		delete(kept, "jsx") // no browser runs JSX, whatever comes after the compiler elsewhere
	}
	if len(kept) > 0 {
		raw, err := json.Marshal(map[string]any{"compilerOptions": kept})
		if err == nil { // the values come from JSON
			made.raw = string(raw)
		}
	}
	base := bases["paths"]
	if url, ok := options["baseUrl"].(string); ok {
		base = path.Join(bases["baseUrl"], url)
	}
	paths, _ := options["paths"].(map[string]any)
	if n := mappings(paths); n > maxMappings {
		c.report(at(file, nil, 0, fmt.Sprintf("compilerOptions.paths has %d entries, and at most %d are allowed. Use patterns with an asterisk.", n, maxMappings)))
		paths = nil
	}
	for pattern, list := range paths {
		m := mapping{before: pattern}
		m.before, m.after, m.isPattern = strings.Cut(pattern, "*")
		targets, _ := list.([]any)
		for _, target := range targets {
			if text, ok := target.(string); ok {
				m.targets = append(m.targets, path.Join(base, text))
			}
		}
		made.paths = append(made.paths, m)
	}
	return made
}

// mappings returns the number of entries of compilerOptions.paths.
func mappings(paths map[string]any) (n int) {
	for _, list := range paths {
		targets, _ := list.([]any)
		n += max(1, len(targets))
	}
	return n
}

// read adds the options of a file to those that are there, in place of older ones. bases has
// the folder of the file that an option comes from. What the file extends comes first. What a
// solution without files refers to is its projects, whose options count for all files here.
func (c *configs) read(file string, options map[string]any, bases map[string]string, depth int) {
	entry, ok := c.files.Lookup(file)
	if !ok || depth > 8 {
		return
	}
	if c.left--; c.left < 0 {
		return
	}
	if entry.Size > maxConfigFile {
		c.report(at(file, nil, 0, fmt.Sprintf("The file has %d bytes, and a configuration has at most %d. Shorten it.", entry.Size, maxConfigFile)))
		return
	}
	blob, _ := c.files.Blob(entry.Hash)
	text, err := blob.Bytes()
	if err != nil {
		return // it has just changed on disk; the next revision reads it
	}
	var parsed configFile
	if problem, ok := decode(file, text, &parsed); !ok {
		c.report(problem)
		return
	}
	folder := path.Dir(file)
	for _, extended := range extends(parsed.Extends) {
		if !strings.HasPrefix(extended, ".") && !strings.HasPrefix(extended, "/") {
			continue // a package
		}
		base := withJSON(path.Join(folder, extended))
		if !c.has(base) {
			c.report(at(file, text, max(0, bytes.Index(text, []byte(strconv.Quote(extended)))), fmt.Sprintf("The file extends %s, and the sandbox has no such file.", base)))
		}
		c.read(base, options, bases, depth+1)
	}
	if parsed.Files != nil && len(*parsed.Files) == 0 {
		for _, reference := range parsed.References {
			target := path.Join(folder, reference.Path)
			if !strings.HasSuffix(target, ".json") {
				target = path.Join(target, "tsconfig.json")
			}
			if !strings.HasSuffix(target, ".node.json") { // the project of the build's own scripts
				c.read(target, options, bases, depth+1)
			}
		}
	}
	for name, value := range parsed.CompilerOptions {
		options[name], bases[name] = value, folder
	}
}

// report adds the first problem of a file.
func (c *configs) report(d protocol.Diagnostic) {
	if !c.reported[d.File] {
		c.reported[d.File] = true
		c.problems = append(c.problems, d)
	}
}

func withJSON(file string) string {
	if strings.HasSuffix(file, ".json") {
		return file
	}
	return file + ".json"
}

// extends returns the value of extends, which is a text or a list of texts.
func extends(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

// decode reads JSON with comments and trailing commas, as TypeScript does.
func decode(file string, text []byte, into any) (protocol.Diagnostic, bool) {
	if n := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); n > maxBrackets {
		return at(file, text, 0, fmt.Sprintf("The file has %d opening brackets, and a configuration has at most %d. Shorten it.", n, maxBrackets)), false
	}
	standard, err := hujson.Standardize(text)
	if err == nil {
		err = json.Unmarshal(standard, into)
	}
	if err == nil {
		return protocol.Diagnostic{}, true
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return at(file, text, offsetOf(err, text), fmt.Sprintf("The value of %s is a %s, which it cannot be.", cmp.Or(wrong.Field, "the file"), wrong.Value)), false
	}
	return at(file, text, offsetOf(err, text), "The file is not valid JSON with comments: "+err.Error()+"."), false
}

// offsetOf returns where an error of a JSON decoder is.
func offsetOf(err error, text []byte) int {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return int(wrong.Offset)
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return int(wrong.Offset)
	}
	return lineOffset(err, text)
}
