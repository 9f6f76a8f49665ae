package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Error is one mistake in a policy file, with its position.
type Error struct {
	File string
	// Line and Col count from 1. Col counts characters. Both are always inside the file, but
	// Col may be one past the end of the line.
	Line, Col int
	// Msg says what is wrong and why.
	Msg string
	// Hint says what to do, or is "" if there is no advice.
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

// lineWidth is how many characters of a source line are shown. A line can be as long as the
// policy.
const lineWidth = 120

// window cuts a line to the characters around caret that fit. It returns how many characters
// of the result precede the caret. Characters that would move a terminal's cursor become a
// single visible one.
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

// around cuts a very long line to the part that window may show. It returns how many
// characters it removed at the beginning, and the caret's new index.
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

// cut shortens a text from the file to 80 characters, so that messages that quote it stay
// short.
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

// Errors contains all mistakes of a policy, sorted by file and position.
type Errors []*Error

// maxShown is the largest number of mistakes that Error and Pretty write.
const maxShown = 100

// Error returns one line for each of the first 100 mistakes, and the number of the others.
func (e Errors) Error() string { return e.join((*Error).Error, "") }

// Pretty returns [Error.Pretty] of each of the first 100 mistakes, with empty lines between
// them, and the number of the others.
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

// Unwrap returns the mistakes as separate errors.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// sort orders the mistakes by file, in the order of the layers, and then by position.
func (e Errors) sort(layers []Layer) {
	layer := func(e *Error) int {
		return slices.IndexFunc(layers, func(l Layer) bool { return l.File == e.File })
	}
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(layer(a), layer(b)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}
