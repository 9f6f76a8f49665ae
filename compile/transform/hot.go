package transform

import (
	"maps"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// hotMark replaces import.meta.hot while Scan reads a source. esbuild replaces it only in code, and
// not in comments and strings.
const hotMark = "bellglassImportMetaHot"

// markHot makes a build replace import.meta.hot with the mark, for code that nobody runs.
func markHot(build api.PluginBuild) {
	if define := maps.Clone(build.InitialOptions.Define); define != nil {
		define["import.meta.hot"] = hotMark
		build.InitialOptions.Define = define
	}
	build.InitialOptions.Sourcemap = api.SourceMapNone
}

var accepting = regexp.MustCompile(`\b` + hotMark + `\??\.accept\(`)

// readHot reads from marked code what the module accepts. As Vite does, it finds the calls by their
// text.
func (o *Output) readHot(code string) {
	o.UsesHot = strings.Contains(code, hotMark)
	for _, at := range accepting.FindAllStringIndex(code, -1) {
		specifiers, ok := readTexts(code[at[1]:])
		if !ok {
			o.AcceptsSelf = true
		}
		o.Accepts = append(o.Accepts, specifiers...)
	}
}

// readTexts reads a string literal, or an array of them. ok is false if the code begins with
// anything else. The literals are specifiers, so readTexts decodes no escapes.
func readTexts(code string) (texts []string, ok bool) {
	code = strings.TrimLeft(code, " \n")
	rest, isList := strings.CutPrefix(code, "[")
	for {
		rest = strings.TrimLeft(rest, " \n,")
		if rest == "" || !strings.ContainsRune("\"'`", rune(rest[0])) {
			return texts, isList
		}
		text, after, found := strings.Cut(rest[1:], rest[:1])
		if !found {
			return texts, isList
		}
		texts = append(texts, text)
		if !isList {
			return texts, true
		}
		rest = after
	}
}
