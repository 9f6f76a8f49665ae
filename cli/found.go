package cli

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/packages/manifest"
	"github.com/bellglass/bellglass/vfs"
)

// frameworks are the dependencies in package.json that found names. The first match wins, because
// an application that uses React may also depend on Vue.
var frameworks = []struct{ name, title string }{
	{"react", "React"}, {"preact", "Preact"}, {"vue", "Vue"}, {"svelte", "Svelte"}, {"solid-js", "Solid"}, {"lit", "Lit"},
}

// found describes in one line how serve interprets a folder. Its author then notices a wrong entry
// before opening the page. entry is the path of the file that the view opens first, or "".
func found(files *vfs.Snapshot, entry string) string {
	if files.Len() == 0 {
		return "no files yet; those that appear are shown"
	}
	if entry == "" {
		return count(files.Len(), "file")
	}
	if script := moduleOf(files, entry); script != "" {
		language := "JavaScript"
		if ext := path.Ext(script); ext == ".ts" || ext == ".tsx" || ext == ".mts" {
			language = "TypeScript"
		}
		if framework := frameworkOf(files); framework != "" {
			language = framework + " and " + language
		}
		return language + " from " + script[1:]
	}
	for file := range files.Entries() {
		if strings.HasPrefix(file.Path, "/_next/static/") {
			return fmt.Sprintf("an export of Next.js, %s", count(files.Len(), "file"))
		}
	}
	if others := files.Len() - 1; others > 0 {
		return fmt.Sprintf("%s and %s", entry[1:], count(others, "other file"))
	}
	return entry[1:]
}

// foundPackages says how many packages the sources import from, and where they are. It says
// nothing if the sources import none.
func foundPackages(all compile.Packages) string {
	of, is := all.(*folderPackages)
	if !is {
		return ""
	}
	set := of.current()
	if set == nil {
		return ""
	}
	return fmt.Sprintf("; %s from %s", count(len(set.Dependencies()), "package"), set.Place())
}

// moduleOf returns the path of the first module script of a page that is a file of the folder, or
// "".
func moduleOf(files *vfs.Snapshot, page string) string {
	content, err := files.ReadFile(page[1:])
	if err != nil {
		return ""
	}
	tokens := html.NewTokenizer(bytes.NewReader(content))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		if kind != html.StartTagToken || token.Data != "script" {
			continue
		}
		attributes := map[string]string{}
		for _, a := range token.Attr {
			attributes[a.Key] = a.Val
		}
		src, err := (&url.URL{Path: page}).Parse(attributes["src"])
		if attributes["type"] != "module" || attributes["src"] == "" || err != nil || src.Host != "" {
			continue
		}
		if _, is := files.Lookup(src.Path); is {
			return src.Path
		}
	}
	return ""
}

func frameworkOf(files *vfs.Snapshot) string {
	text, err := files.ReadFile(manifest.File)
	if err != nil {
		return ""
	}
	dependencies, err := manifest.Dependencies(text)
	if err != nil {
		return "" // what imports a package says why
	}
	for _, framework := range frameworks {
		if dependencies[framework.name] != "" {
			return framework.title
		}
	}
	return ""
}
