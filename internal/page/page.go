// Package page builds our own HTML pages. Each is a template with exactly one inline
// script and one inline style. Their bytes are the same for every reader, so a
// Content-Security-Policy can allow them by hash and nothing else.
//
// Data that differs between readers is in a data block: a script element of type
// application/json, which no browser executes.
package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"unicode/utf8"
)

// A Page is a template with its script and style.
type Page struct {
	template      *template.Template
	script, style []byte
}

// New parses the template text. In it, {{.Style}} stands inside <style>, {{.Script}}
// inside <script>, and {{.Data}} is the argument of [Page.Render]. New rejects code
// that an HTML parser would not pass on byte for byte, because its hash would be wrong.
func New(name, text string, script, style []byte) (*Page, error) {
	t, err := template.New(name).Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	p := &Page{template: t}
	if p.script, err = inline(script, "</script"); err != nil {
		return nil, fmt.Errorf("page %s: the inline script %w", name, err)
	}
	if p.style, err = inline(style, "</style"); err != nil {
		return nil, fmt.Errorf("page %s: the inline style %w", name, err)
	}
	return p, nil
}

// inline returns code as an HTML parser passes it on: the parser first replaces each
// line break by a line feed.
func inline(code []byte, end string) ([]byte, error) {
	code = bytes.ReplaceAll(code, []byte("\r\n"), []byte("\n"))
	if !utf8.Valid(code) || bytes.ContainsAny(code, "\r\x00") {
		return nil, errors.New("contains bytes that an HTML parser replaces")
	}
	for _, bad := range []string{end, "<!--"} {
		if bytes.Contains(bytes.ToLower(code), []byte(bad)) {
			return nil, fmt.Errorf("contains %q, which would change where its element ends", bad)
		}
	}
	return code, nil
}

// Render writes the page with its data.
func (p *Page) Render(w io.Writer, data any) error {
	return p.template.Execute(w, struct {
		Style  template.CSS
		Script template.JS
		Data   any
	}{template.CSS(p.style), template.JS(p.script), data})
}

// ScriptHash returns the script's CSP hash, "sha256-…", or "" if there is no script.
func (p *Page) ScriptHash() string { return Hash(p.script) }

// StyleHash returns the style's CSP hash, "sha256-…", or "" if there is no style.
func (p *Page) StyleHash() string { return Hash(p.style) }

// Hash returns the CSP hash of an inline script or style, "sha256-…", or "" if it is empty.
func Hash(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	sum := sha256.Sum256(b)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
