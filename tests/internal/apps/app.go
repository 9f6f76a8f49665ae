package apps

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/tests/internal/npm"
)

// An App is one application and what a test must see of it.
type App struct {
	Name string
	// Page is the file name of the page's script in pages/, without ".js". Default: the
	// name.
	Page     string
	Packages []npm.Package
	// Load are the styles and classic scripts that the page loads before its own
	// script. A path begins with the package's name, as in a URL.
	Load []string
	// Also are further files, or whole folders, that the application fetches itself:
	// workers, fonts, WebAssembly.
	Also []string
	// Own are files beside the page, by path.
	Own map[string]string
	// Body is the beginning of the page's body.
	Body string

	// Scripts are the policy's script words, and Rules its rules in YAML, if any.
	Scripts []string
	Rules   string

	Do  []Step
	See []Sight
	// Blocked are the targets of all blocked attempts in the log, sorted. [Outside]
	// stands for the server outside the sandbox.
	Blocked []string
	// Asked are the paths that the server outside must have been asked for. No others
	// are allowed.
	Asked []string
}

// Outside stands for the host and port of a server outside the sandbox, in the page,
// the policy, and the list of blocked targets.
const Outside = "{outside}"

// A Step is an action of the user: a click on an element, or typing into it.
type Step struct {
	Click string // a selector
	Into  string // a selector, with Type
	Type  string
}

// A Sight is a text that an element of the page must contain.
type Sight struct {
	Selector string
	Text     string
}

// All returns all applications.
func All() []App {
	return slices.Concat(frameworks, graphics, editors, texts, engines, tools)
}

// Packages returns the packages of all applications, without duplicates.
func Packages() []npm.Package {
	var all []npm.Package
	for _, app := range All() {
		for _, p := range app.Packages {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Policy returns the text of the application's policy.
func (a App) Policy(outside string) string {
	text := "version: 1\ndefault: block\n"
	if len(a.Scripts) > 0 {
		text += "scripts: [" + strings.Join(a.Scripts, ", ") + "]\n"
	}
	return text + strings.ReplaceAll(a.Rules, Outside, outside)
}

//go:embed pages
var pages embed.FS

// Contents returns the files of the application's sandbox, by path.
func (a App) Contents(outside string) (map[string][]byte, error) {
	script, err := pages.ReadFile("pages/" + cmp.Or(a.Page, a.Name) + ".js")
	if err != nil {
		return nil, err
	}
	filled := strings.NewReplacer(Outside, outside, "{app}", a.Name).Replace(string(script))
	files := map[string][]byte{"/index.html": []byte(a.page()), "/app.js": []byte(filled)}
	for name, text := range a.Own {
		files[name] = []byte(text)
	}
	for _, name := range slices.Concat(a.Load, a.Also) {
		if err := a.take(files, name); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return files, nil
}

// page returns the document: the styles, the beginning of the body, the scripts.
func (a App) page() string {
	var head, scripts strings.Builder
	for _, name := range a.Load {
		if path.Ext(name) == ".css" {
			fmt.Fprintf(&head, "<link rel=\"stylesheet\" href=\"/%s\">\n", name)
		} else {
			fmt.Fprintf(&scripts, "<script src=\"/%s\"></script>\n", name)
		}
	}
	// The icon is named so that the browser requests no other.
	return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" + a.Name + "</title>\n<link rel=\"icon\" href=\"data:,\">\n" + head.String() +
		"<body>\n" + a.Body + "<main id=\"app\"></main>\n<p id=\"seen\"></p>\n" + scripts.String() + "<script type=\"module\" src=\"/app.js\"></script>\n"
}

// take reads a file, or all files of a folder, from one of the packages.
func (a App) take(files map[string][]byte, name string) error {
	i := slices.IndexFunc(a.Packages, func(p npm.Package) bool { return strings.HasPrefix(name, p.Name+"/") })
	if i < 0 {
		return fmt.Errorf("%q is in none of the packages %v", name, a.Packages)
	}
	dir, err := a.Packages[i].Dir()
	if err != nil {
		return err
	}
	below := strings.TrimPrefix(name, a.Packages[i].Name+"/")
	return filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(below)), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".map") {
			return err
		}
		rest, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		files["/"+path.Join(a.Packages[i].Name, filepath.ToSlash(rest))], err = os.ReadFile(file)
		return err
	})
}
