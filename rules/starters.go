package rules

import (
	"embed"
	"strings"
)

// A Starter is a policy file to copy and change. Its comments say what it does and why, and
// its tests pass.
type Starter struct {
	Name string
	// Title is one sentence, the file's first line.
	Title string
	// Text is the file, which [Parse] accepts.
	Text []byte
}

//go:embed starters/*.yaml
var starterFiles embed.FS

// starterNames lists the starters in the order of reading, from nothing allowed to more.
var starterNames = []string{"block-all", "single-file", "script-cdn", "public-api", "audit"}

// Starters returns the policies to begin with, always in the same order. The first one blocks
// everything.
func Starters() []Starter {
	all := make([]Starter, len(starterNames))
	for i, name := range starterNames {
		text, err := starterFiles.ReadFile("starters/" + name + ".yaml")
		if err != nil {
			panic(err) // a name without a file; the tests compare the two
		}
		first, _, _ := strings.Cut(string(text), "\n")
		all[i] = Starter{Name: name, Title: strings.TrimPrefix(first, "# "), Text: text}
	}
	return all
}
