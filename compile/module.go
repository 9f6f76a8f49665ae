package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// linking is the module of a style sheet. It waits for the sheet, so that nothing that imports it
// runs without its styles. Sheets load at once, and stand in the order of the imports. A document
// can replace a link in place. A worker has no document, and needs no styles.
const linking = `if (typeof document !== 'undefined') {
  const href = %[1]s;
  if (document.querySelector('link[rel="stylesheet"][href="' + CSS.escape(href) + '"]') === null) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    await new Promise((done) => {
      link.onload = link.onerror = done;
      (document.head ?? document.documentElement).append(link);
    });
  }
}
`

// assetOf returns the module of a file that is no source: a style sheet is loaded, JSON is a
// value, and anything else is its URL.
func assetOf(t Transformer, path string, content vfs.Blob) (transform.Output, error) {
	switch {
	case strings.HasSuffix(path, ".json"):
		text, err := content.Bytes()
		if err != nil {
			return transform.Output{}, nil // it has just changed on disk; the next revision has it
		}
		return t.Emit(transform.Source{Path: path, Language: transform.JSON, Text: string(text)}, nil)
	case strings.HasSuffix(path, ".css"):
		return transform.Output{Code: linkedStyle(path)}, nil
	default:
		return transform.Output{Code: fmt.Appendf(nil, "export default %s;\n", quoted(vfs.URLPath(path)))}, nil
	}
}

func linkedStyle(path string) []byte { return fmt.Appendf(nil, linking, quoted(vfs.URLPath(path))) }

// adopting begins the module of a CSS module. It contains the style sheet, because hundreds of
// components with a request for each take noticeably longer. Unlike a style element, an adopted
// sheet has a base URL, and needs no permission for inline styles.
const adopting = `if (typeof document !== 'undefined') {
  const sheet = new CSSStyleSheet({ baseURL: import.meta.url });
  sheet.replaceSync(%[1]s);
  document.adoptedStyleSheets.push(sheet);
}
`

func adoptedStyle(css []byte) []byte { return fmt.Appendf(nil, adopting, quoted(string(css))) }

// throwing is the module of a file with an error. It exports the names that others import from
// it: otherwise the browser would only say that they are missing.
func throwing(d protocol.Diagnostic, source string, names []string) []byte {
	var b strings.Builder
	place := fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column)
	fmt.Fprintf(&b, overlay, quoted(place), quoted(d.Text), quoted(excerpt(d)))
	if len(names) > 0 {
		b.WriteString("let missing;\nexport {")
		for _, name := range names {
			fmt.Fprintf(&b, " missing as %s,", quoted(name))
		}
		b.WriteString(" };\n")
	}
	return pointing(b.String(), d, source)
}

// overlay shows an error over the page, and throws it. Its style is set by script alone, which a
// policy without inline styles allows. The page's own styles end at the shadow root.
const overlay = `const place = %[1]s, text = %[2]s, excerpt = %[3]s;
if (typeof document !== 'undefined' && document.querySelector('bellglass-overlay') === null) {
  const cover = document.createElement('bellglass-overlay');
  const box = document.createElement('div');
  const part = (tag, text) => box.append(Object.assign(document.createElement(tag), { textContent: text }));
  box.setAttribute('role', 'alert');
  box.tabIndex = -1;
  part('strong', 'This file cannot run: ' + place);
  part('p', text);
  part('pre', excerpt);
  part('small', 'Press Escape to hide this message.');
  Object.assign(cover.style, { all: 'initial', position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(20 22 28 / 72%%)', display: 'grid', placeItems: 'center', padding: '16px', boxSizing: 'border-box' });
  Object.assign(box.style, { font: '15px/1.5 system-ui, sans-serif', color: '#f4f1ee', background: '#23262e', borderTop: '4px solid #ff6b5e', borderRadius: '8px', padding: '20px 24px', width: 'min(720px, 100%%)', maxHeight: '100%%', overflow: 'auto', boxSizing: 'border-box', outline: 'none' });
  Object.assign(box.children[0].style, { color: '#ff9c91', overflowWrap: 'anywhere' });
  Object.assign(box.children[1].style, { margin: '8px 0', overflowWrap: 'anywhere' });
  Object.assign(box.children[2].style, { margin: '12px 0', padding: '12px', background: '#15171c', borderRadius: '6px', overflow: 'auto', font: '13px/1.5 ui-monospace, monospace' });
  Object.assign(box.children[3].style, { color: '#a9adb8' });
  cover.attachShadow({ mode: 'open' }).append(box);
  cover.addEventListener('click', (event) => { if (event.composedPath()[0] === cover) cover.remove(); });
  addEventListener('keydown', ({ key }) => { if (key === 'Escape') cover.remove(); });
  document.documentElement.append(cover);
}
throw Object.assign(new SyntaxError(place + ': ' + text), { name: 'CompileError' });
`

// excerpt returns the line of an error with a mark below its column.
func excerpt(d protocol.Diagnostic) string {
	before := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, prefix(d.SourceLine, d.Column-1))
	number := fmt.Sprintf("%d | ", d.Line)
	return number + d.SourceLine + "\n" + strings.Repeat(" ", len(number)) + before + "^"
}

// prefix returns the beginning of a text, up to a number of UTF-16 code units.
func prefix(text string, units int) string {
	all := utf16.Encode([]rune(text))
	return string(utf16.Decode(all[:max(0, min(units, len(all)))]))
}

// quoted writes a text as a string of JavaScript, which JSON is.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		return `""` // every string can be written
	}
	return string(data)
}
