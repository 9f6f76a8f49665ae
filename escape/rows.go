package escape

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed rows page
var files embed.FS

// An Engine is a browser engine's name in rows and lists.
type Engine string

const (
	Chromium  Engine = "chromium"
	Firefox   Engine = "firefox"
	WebKitGTK Engine = "webkit"
)

var Engines = []Engine{Chromium, Firefox, WebKitGTK}

// Gestures are the gestures that a driver can make in the middle of the view.
var Gestures = []string{"hover", "down", "click", "ctrl-click", "middle-click", "shift-click", "context", "drag", "drag-out"}

// A Row is one technique.
type Row struct {
	Family, Name string // Name is FAMILY/NAME
	About        string // its first comment
	Alone        bool   // no other row runs in the same page
	Apart        bool   // it runs in a browser of its own, with other such rows
	Leaves       bool   // it replaces the page, so it cannot report that it is done
	Gesture      string // one of Gestures, or ""
	// Without says, for each engine in which nothing arrives even without defenses, why
	// not. Seldom says that something may arrive.
	Without map[Engine]string
	Seldom  bool
}

// Module is the row's path in the sandbox.
func (r Row) Module() string { return "/rows/" + r.Name + ".js" }

// Rows returns all rows, sorted by name.
func Rows() ([]Row, error) {
	var rows []Row
	err := fs.WalkDir(files, "rows", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		base := path.Base(file)
		name, found := strings.CutSuffix(base, ".js")
		if !found || strings.Contains(name, ".") {
			return nil // a file that a row needs
		}
		text, err := files.ReadFile(file)
		if err != nil {
			return err
		}
		family := path.Base(path.Dir(file))
		r, err := readRow(Row{Family: family, Name: family + "/" + name}, string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		rows = append(rows, r)
		return nil
	})
	return rows, err
}

// readRow parses the comment at the top.
func readRow(r Row, text string) (Row, error) {
	var about []string
	for line := range strings.Lines(text) {
		comment, found := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !found {
			break
		}
		comment = strings.TrimSpace(comment)
		key, value, _ := strings.Cut(comment, ":")
		value = strings.TrimSpace(value)
		if strings.HasPrefix(key, "@") && value == "" {
			return r, fmt.Errorf("%q says nothing after the colon", comment)
		}
		switch key {
		case "@alone":
			r.Alone = true
		case "@apart":
			r.Alone, r.Apart = true, true
		case "@leaves":
			r.Alone, r.Leaves = true, true
		case "@gesture":
			r.Alone, r.Gesture = true, value
			if !slices.Contains(Gestures, value) {
				return r, fmt.Errorf("%q is no gesture; there are %v", value, Gestures)
			}
		case "@control":
			if err := r.readControl(value); err != nil {
				return r, err
			}
		default:
			if strings.HasPrefix(key, "@") {
				return r, fmt.Errorf("%q is not known; doc.go has the list", key)
			}
			about = append(about, comment)
		}
	}
	r.About = strings.Join(about, " ")
	if r.About == "" {
		return r, fmt.Errorf("the first comment must say what the row tries")
	}
	return r, nil
}

// readControl parses "none, WHY" or "none in ENGINES, WHY", or the same with "seldom".
func (r *Row) readControl(value string) error {
	where, why, found := strings.Cut(value, ",")
	words := strings.Fields(where)
	if why = strings.TrimSpace(why); !found || why == "" || len(words) == 0 || words[0] != "none" && words[0] != "seldom" {
		return fmt.Errorf("@control: %s is not of the form \"none, WHY\" or \"none in ENGINES, WHY\", or the same with seldom", value)
	}
	r.Seldom = words[0] == "seldom"
	if r.Without == nil {
		r.Without = map[Engine]string{}
	}
	in := Engines
	if len(words) > 1 {
		if words[1] != "in" || len(words) == 2 {
			return fmt.Errorf("@control: %q is not \"none in ENGINES\"", where)
		}
		in = nil
		for _, word := range words[2:] {
			if !slices.Contains(Engines, Engine(word)) {
				return fmt.Errorf("@control: %q is no engine; there are %v", word, Engines)
			}
			in = append(in, Engine(word))
		}
	}
	for _, e := range in {
		r.Without[e] = why
	}
	return nil
}
