package house

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

// prose lists the documents whose sentences are counted, as patterns of file names.
var prose = []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md"}

// maxWords is the length that a reader can still take in at once. Most sentences have half of
// it.
const maxWords = 30

// A sentence that is too long to read once makes readers doubt the rest.
func TestSentences(t *testing.T) {
	root := repository.Root(t)
	for _, pattern := range prose {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Errorf("%s: no such document (%v)", pattern, err)
		}
		for _, name := range names {
			if name, err = filepath.Rel(root, name); err != nil {
				t.Fatal(err)
			}
			for _, s := range sentences(string(repository.Read(t, name))) {
				if len(s.words) > maxWords {
					t.Errorf("%s:%d: a sentence of %d words, at most %d: %s …", filepath.ToSlash(name), s.line, len(s.words), maxWords, strings.Join(s.words[:8], " "))
				}
			}
		}
	}
}

// The check finds long sentences.
func TestSentencesCanFail(t *testing.T) {
	many := strings.TrimSpace(strings.Repeat("word ", maxWords+1))
	for _, test := range []struct {
		name, text string
		lines      []int // lines of the sentences that are too long
	}{
		{"nothing", "", nil},
		{"a long sentence", many + ".", []int{1}},
		{"one without an end", many, []int{1}},
		{"two halves", "Word. " + many[:len(many)/2] + ". " + many[:len(many)/2] + ".", nil},
		{"over several lines", "Short.\nA\n" + strings.ReplaceAll(many, " ", "\n") + "\n", []int{2}},
		{"after a quotation", "He said \"no.\" " + many, []int{1}},
		{"the second paragraph", "Short\n\n" + many, []int{3}},
		{"commas, dashes and colons end none", "A: " + strings.ReplaceAll(many, " ", " – ") + "; b, c", []int{1}},
		{"dashes are no words", strings.TrimSuffix(strings.ReplaceAll(many, " ", " – "), "word") + ".", nil},

		{"a heading", "# " + many, nil},
		{"after a heading", "# Heading\n" + many, []int{2}},
		{"a fenced block", "```sh\n" + many + "\n```\n" + many, []int{4}},
		{"a fence in another", "~~~\n```\n" + many + "\n~~~\nshort", nil},
		{"a fence in a list", "- item\n\n  ```\n  " + many + "\n  ```\n", nil},
		{"an indented block", "text\n\n    " + many, nil},
		{"a paragraph of a list item", "- item\n\n    " + many, []int{3}},
		{"an indented block after a list", "- item\n\ntext\n\n    " + many, nil},

		{"items", "- " + many[:len(many)/2] + "\n- " + many[:len(many)/2] + "\n1. " + many[:len(many)/2], nil},
		{"an item", "- short\n- " + many + "\n", []int{2}},
		{"an item on two lines", "1. " + many[:len(many)/2] + "\n   " + many[len(many)/2:], []int{1}},
		{"footnotes", "[^1]: " + many[:len(many)/2] + "\n[^2]: " + many[:len(many)/2], nil},
		{"a quotation", "> " + many, []int{1}},
		{"cells", "| " + many[:len(many)/2] + " | " + many[:len(many)/2] + " |", nil},
		{"a cell", "| a | b |\n|---|---|\n| short | " + many + " |", []int{3}},

		{"inline code is a word", strings.Replace(many, "word", "`one two three`", 1), []int{1}},
		{"and no more", strings.Replace(many, "word word", "`one two three`", 1), nil},
		{"a dot in it is no end", strings.Replace(many, "word", "`one. two`", 1), []int{1}},
		{"a dot after it is one", strings.Replace(many, "word", "`one`.", 1), nil},
		{"code on two lines", "`one\ntwo` is. " + many, []int{2}},
		{"code in two back quotes", strings.Replace(many, "word word", "``a ` b. c``", 1), nil},
		{"a link counts by its text", strings.Replace(many, "word word", "[word](https://example.com/a.b)", 1), nil},
		{"which has words", strings.Replace(many, "word word", "[word word](x.md)", 1), []int{1}},
		{"code in a link", strings.Replace(many, "word word", "[`a b`](x.md)", 1), nil},
		{"an element is no word", strings.Replace(many, "word word", "word <a id=\"x\"></a>", 1), nil},
		{"emphasis ends with its sentence", "**" + many[:len(many)/2] + ".** " + many[:len(many)/2], nil},
	} {
		var lines []int
		for _, s := range sentences(test.text) {
			if len(s.words) > maxWords {
				lines = append(lines, s.line)
			}
		}
		if !slices.Equal(lines, test.lines) {
			t.Errorf("%s: too long are the sentences in lines %v, want %v", test.name, lines, test.lines)
		}
	}
}

// A sentence is its words, with the line on which it begins.
type sentence struct {
	line  int
	words []string
}

// sentences returns the sentences of a Markdown document. It understands the part of the
// language that our documents use.
func sentences(markdown string) []sentence {
	var all []sentence
	for _, b := range blocks(markdown) {
		all = append(all, b.sentences()...)
	}
	return all
}

// A block is a text that contains its sentences completely: a paragraph, a list item, or a
// cell of a table.
type block struct {
	line int
	text string
}

var (
	fence   = regexp.MustCompile("^(```+|~~~+)")
	heading = regexp.MustCompile(`^#{1,6}\s`)
	item    = regexp.MustCompile(`^([-*+]|\d+[.)]|\[\^[^\]]+\]:)\s+`)
)

func blocks(markdown string) []block {
	var all []block
	ends := ""    // the line that ends the fenced code
	open := false // the next line continues the last block
	list := false // indented lines belong to a list item, and are not code
	begin := func(line int, text string) { all = append(all, block{line, text}) }
	for i, line := range strings.Split(markdown, "\n") {
		text := strings.TrimSpace(strings.TrimPrefix(line, ">"))
		indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		switch marker := fence.FindString(text); {
		case ends != "":
			if marker == text && strings.HasPrefix(marker, ends) {
				ends = ""
			}
		case marker != "":
			ends, open = marker, false
		case text == "" || heading.MatchString(text):
			open = false
		case strings.HasPrefix(text, "|"):
			open = false
			for cell := range strings.SplitSeq(strings.ReplaceAll(text, `\|`, " "), "|") {
				begin(i+1, cell)
			}
		case item.MatchString(text) && (list || !indented):
			open, list = true, true
			begin(i+1, item.ReplaceAllString(text, ""))
		case open:
			all[len(all)-1].text += "\n" + text
		case indented && !list:
		default:
			open, list = true, list && line[0] == ' '
			begin(i+1, text)
		}
	}
	return all
}

var (
	code      = regexp.MustCompile("(?s)``.+?``|`[^`]+`")
	footnote  = regexp.MustCompile(`\[\^[^\]]+\]`)
	link      = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^)\s]*\)`)
	element   = regexp.MustCompile(`</?[A-Za-z][A-Za-z0-9-]*(\s[^<>]*)?>`)
	afterStop = "\"'”’)]*_" // what may follow the end of a sentence directly
)

// sentences splits the text after each word with a full stop. An abbreviation counts as an
// end, too, so write it out.
func (b block) sentences() []sentence {
	text := code.ReplaceAllStringFunc(b.text, func(span string) string {
		return strings.Repeat("\n", strings.Count(span, "\n")) + "`code`"
	})
	text = footnote.ReplaceAllString(text, "")
	text = link.ReplaceAllString(text, "$1")
	text = element.ReplaceAllString(text, "")
	all := []sentence{{}}
	for i, line := range strings.Split(text, "\n") {
		for _, word := range strings.Fields(line) {
			last := &all[len(all)-1]
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				if last.words == nil {
					last.line = b.line + i
				}
				last.words = append(last.words, word)
			}
			if word = strings.TrimRight(word, afterStop); word != "" && strings.Contains(".!?", word[len(word)-1:]) {
				all = append(all, sentence{})
			}
		}
	}
	return all
}
