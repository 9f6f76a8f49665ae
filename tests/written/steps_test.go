package written

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// checks is the module that takes a program's steps, and then prints how it went. The steps are
// comments at the top of the program:
//
//	// shows SELECTOR :: TEXT           waits until the element contains the text
//	// do STATEMENTS                    runs in the page, and is awaited
//	// pixel SELECTOR X Y :: R G B      waits until the canvas has the color, about
const checks = `const until = async (what, holds) => {
  for (const end = performance.now() + 120_000; !holds(); await new Promise(requestAnimationFrame)) {
    if (performance.now() > end) throw new Error(what + '; the page shows ' + document.body.textContent.slice(0, 500))
  }
}
const shows = (selector, text) => until(selector + ' does not show ' + text, () => document.querySelector(selector)?.textContent.includes(text))
const pixel = (place, color) => {
  const [selector, x, y] = place.split(' '), wanted = color.split(' ')
  const copy = document.createElement('canvas').getContext('2d')
  return until(place + ' has another color than ' + color, () => {
    const drawn = document.querySelector(selector)
    if (drawn === null) return false
    Object.assign(copy.canvas, { width: drawn.width, height: drawn.height })
    copy.drawImage(drawn, 0, 0)
    const is = copy.getImageData(x, y, 1, 1).data
    return wanted.every((value, i) => Math.abs(is[i] - value) <= 40) // engines draw a little differently
  })
}
const steps = async () => {
%s}
steps().then(() => console.log('checked: right'), (error) => console.log('checked: ' + error.message))
`

var step = regexp.MustCompile(`^// (shows|do|pixel) (.+)$`)

// checksOf returns the checks of a program. Its steps end with the first other line.
func checksOf(t *testing.T, main string) string {
	t.Helper()
	var steps strings.Builder
	for line := range strings.Lines(main) {
		found := step.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			break
		}
		verb, rest := found[1], found[2]
		if verb == "do" {
			fmt.Fprintf(&steps, "  %s\n", rest)
			continue
		}
		subject, want, _ := strings.Cut(rest, " :: ")
		fmt.Fprintf(&steps, "  await %s(%s, %s)\n", verb, quoted(t, subject), quoted(t, want))
	}
	if steps.Len() == 0 {
		t.Fatal("the program expects nothing")
	}
	return fmt.Sprintf(checks, steps.String())
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// read returns the files of a program, and the path of its main file.
func read(t *testing.T, dir string) (texts map[string]string, main string) {
	t.Helper()
	texts = map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts["/"+file.Name()] = string(text)
		if strings.HasPrefix(file.Name(), "main.") {
			main = "/" + file.Name()
		}
	}
	return texts, main
}
