package server

import (
	"go/ast"
	"go/constant"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

const module = "github.com/bellglass/bellglass/"

// packageWords holds the doc comments of this module's packages, by import path.
type packageWords map[string]map[string]*typeWords

// typeWords holds the doc comments of a type and of its fields. For a string type with
// constants it also holds the constants' values.
type typeWords struct {
	text   string
	fields map[string]string
	values []string
}

// of returns the words of a type. Types of other modules have none.
func (p packageWords) of(t reflect.Type) *typeWords {
	folder, isOurs := strings.CutPrefix(t.PkgPath(), module)
	if !isOurs {
		return &typeWords{}
	}
	if p[folder] == nil {
		p[folder] = readWords(folder)
	}
	if words := p[folder][t.Name()]; words != nil {
		return words
	}
	return &typeWords{}
}

// ofField returns the words of a field. If they begin with the field's name in Go, the name in
// JSON replaces it.
func (p packageWords) ofField(t reflect.Type, field reflect.StructField, name string) string {
	for _, i := range field.Index[:len(field.Index)-1] { // a field of an embedded struct
		t = t.Field(i).Type
	}
	text := p.of(t).fields[field.Name]
	if rest, isFirst := strings.CutPrefix(text, field.Name+" "); isFirst {
		return name + " " + rest
	}
	return text
}

func readWords(folder string) map[string]*typeWords {
	set := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	if err != nil {
		panic(err) // the pattern is ours
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			panic(err) // the file compiles
		}
		files = append(files, file)
	}
	read, err := doc.NewFromFiles(set, files, module+folder)
	if err != nil {
		panic(err)
	}
	all := map[string]*typeWords{}
	for _, t := range read.Types {
		words := &typeWords{text: plainWords(t.Doc), fields: map[string]string{}}
		all[t.Name] = words
		for _, group := range t.Consts {
			for _, spec := range group.Decl.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					if text, is := value.(*ast.BasicLit); is && text.Kind == token.STRING {
						words.values = append(words.values, constant.StringVal(constant.MakeFromLiteral(text.Value, token.STRING, 0)))
					}
				}
			}
		}
		object, is := t.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
		if !is {
			continue
		}
		for _, field := range object.Fields.List {
			for _, name := range field.Names {
				words.fields[name.Name] = plainWords(field.Doc.Text())
			}
		}
	}
	return all
}

var docLink = regexp.MustCompile(`\[([\w.]+)\]`)

// plainWords returns a doc comment as one line of plain text.
func plainWords(text string) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1")
}
