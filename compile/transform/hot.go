package transform

import (
	"maps"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// hotMark takes the place of import.meta.hot while a source is scanned. So it is found where it is
// code, and not in comments and texts.
const hotMark = "bellglassImportMetaHot"

// markHot makes a build write the mark.
func markHot(build api.PluginBuild) {
	define := maps.Clone(defines)
	define["import.meta.hot"] = hotMark
	build.InitialOptions.Define = define
}

var accepting = regexp.MustCompile(`\b` + hotMark + `(?:\?)?\.accept\(`)

// readHot reads from marked code what the module accepts, as Vite does: the calls are found by how
// they are written.
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

// readTexts reads a string literal, or a list of them. ok is false if the code begins with anything
// else. The literals are specifiers, which have no escapes.
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
