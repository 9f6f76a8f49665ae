package main

import (
	"bytes"
	"hash/fnv"
	"html/template"
)

// sketch generates a page that draws the words. It stands for a generator whose code
// nobody has reviewed. Yours asks a model; this one fills in a template.
func sketch(words string) ([]byte, error) {
	page, err := template.ParseFS(files, "sketch.html")
	if err != nil {
		return nil, err
	}
	seed := fnv.New32a()
	if _, err := seed.Write([]byte(words)); err != nil {
		return nil, err
	}
	var code bytes.Buffer
	err = page.Execute(&code, struct {
		Words string
		Seed  uint32
	}{words, seed.Sum32()})
	return code.Bytes(), err
}
