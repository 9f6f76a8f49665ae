package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Error is one mistake in a policy file, with its place.
type Error struct {
	File string
	// Line and Col count from 1, Col in characters. Both are always inside the
	// file; Col may be one past the end of the line.
	Line, Col int
	// Msg says what is wrong and why.
	Msg string
	// Hint says what to do, or is "".
	Hint string
	// Source is the text of the line.
	Source string
}

// Error returns "file:line:col: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Pretty returns the message, the source line with a caret below the column,
// and the hint, ending in a newline.
func (e *Error) Pretty() string {
	var b strings.Builder
	b.WriteString(e.Error() + "\n")
	text, before := window(e.Source, e.Col-1)
	gutter := strconv.Itoa(e.Line)
	fmt.Fprintf(&b, " %s | %s\n", gutter, text)
	fmt.Fprintf(&b, " %s | %s^\n", strings.Repeat(" ", len(gutter)), strings.Repeat(" ", before))
	if e.Hint != "" {
		fmt.Fprintf(&b, " hint: %s\n", strings.ReplaceAll(e.Hint, "\n", "\n       "))
	}
	return b.String()
}

// lineWidth is how many characters of a source line are shown; a line of a
// policy may be as long as the policy.
const lineWidth = 120

// window cuts a line to what fits around the character at caret, and returns
// how many characters stand before that one. Characters that would move a
// terminal's cursor become a single visible one.
func window(line string, caret int) (text string, before int) {
	line, cut, caret := around(line, caret)
	runes := []rune(line)
	for i, r := range runes {
		if r == '\t' {
			runes[i] = ' '
		} else if !unicode.IsPrint(r) {
			runes[i] = unicode.ReplacementChar
		}
	}
	start := 0
	if len(runes) > lineWidth && caret > lineWidth*3/4 {
		start = caret - lineWidth/2
	}
	end := min(len(runes), start+lineWidth)
	text, before = string(runes[start:end]), caret-start
	if start > 0 || cut > 0 {
		text, before = "…"+text, before+1
	}
	if end < len(runes) {
		text += "…"
	}
	return strings.TrimRight(text, " "), before
}

// around cuts a line that is far too long to what window may show of it, and
// returns how many characters it cut off before and where the caret is now.
func around(line string, caret int) (part string, cut, now int) {
	from, to, count := 0, len(line), 0
	for at := range line {
		if count == caret-lineWidth {
			from, cut = at, count
		}
		if count == caret+2*lineWidth {
			to = at
			break
		}
		count++
	}
	return line[from:to], cut, caret - cut
}

// cut shortens a text of the file, so that a message that repeats it is no
// longer than a message should be.
func cut(text string) string {
	const longest = 80
	count := 0
	for at := range text {
		if count++; count > longest {
			return text[:at] + "…"
		}
	}
	return text
}

// Errors is all mistakes of a policy, sorted by file and place.
type Errors []*Error

// maxShown is how many mistakes Error and Pretty write out.
const maxShown = 100

// Error returns one line for each mistake, of the first 100, and how many more
// there are.
func (e Errors) Error() string { return e.join((*Error).Error, "") }

// Pretty returns [Error.Pretty] of each mistake, an empty line between two; of
// the first 100, and how many more there are.
func (e Errors) Pretty() string { return e.join((*Error).Pretty, "\n") }

func (e Errors) join(one func(*Error) string, end string) string {
	all := make([]string, 0, maxShown+1)
	for i, mistake := range e {
		if i == maxShown {
			all = append(all, fmt.Sprintf("and %d more, which are not shown", len(e)-maxShown)+end)
			break
		}
		all = append(all, one(mistake))
	}
	return strings.Join(all, "\n")
}

// Unwrap returns the mistakes one by one.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// sort orders the mistakes by file, in the order of the layers, and place.
func (e Errors) sort(layers []Layer) {
	layer := func(e *Error) int {
		return slices.IndexFunc(layers, func(l Layer) bool { return l.File == e.File })
	}
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(layer(a), layer(b)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}
