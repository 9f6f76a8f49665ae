package browser

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"golang.org/x/net/publicsuffix"
)

// A headerList is the sources or patterns of one header.
type headerList struct {
	header string
	items  []*entry
}

// An entry is a source or pattern in three widths: as narrow as possible, without a path, and
// everything below the registrable domain. A width is "" if the entry cannot have it.
type entry struct {
	texts [3]string
	width int
	types uint32
	// copies are the types for which the text is written once each: all types of a source, and
	// one type for a pattern.
	copies uint32
}

func (i *entry) text() string { return i.texts[i.width] }

func (l *headerList) add(s Shape, text string, types, copies uint32) {
	wide := &entry{texts: [3]string{text}, types: types, copies: copies}
	// Sources that only the browser enforces stay as exact as their rule.
	exact := types & unseen
	if exact != 0 && types != exact && copies == types {
		l.items = append(l.items, &entry{texts: wide.texts, types: exact, copies: exact})
		wide.types, wide.copies = types&^exact, types&^exact
		exact = 0
	}
	if exact == 0 {
		s.path = ""
		wide.texts[1] = l.render(s)
		if domain, err := publicsuffix.EffectiveTLDPlusOne(s.host); err == nil && (s.sub || s.host != domain) {
			s.host, s.sub = domain, true
			wide.texts[2] = l.render(s)
		}
	}
	l.items = append(l.items, wide)
}

func (l *headerList) render(s Shape) string {
	if l.header == "Connection-Allowlist" {
		return s.urlPattern()
	}
	return s.csp()
}

// Sizes is how much of a document's headers the rules take.
type Sizes struct {
	CSP                 Size `json:"csp"`
	ConnectionAllowlist Size `json:"connectionAllowlist"`
}

// A Size is how much of a header a list takes. An entry counts as it is in a
// Connection-Allowlist: a space and a quoted string. A source counts the same, once for each
// directive, although it takes two bytes less.
type Size struct {
	Bytes   int `json:"bytes"`
	Entries int `json:"entries"`
}

// size returns how much of the header the list takes.
func (l *headerList) size() Size { return sizeOf(l.items) }

func sizeOf(items []*entry) (s Size) {
	once := map[string]uint32{}
	for _, i := range items {
		once[i.text()] |= i.copies
	}
	for text, copies := range once {
		one := sizeOfText(text, copies)
		s.Bytes += one.Bytes
		s.Entries += one.Entries
	}
	return s
}

// sizeOfText returns the size of a text that is written once for each type.
func sizeOfText(text string, types uint32) Size {
	count := bits.OnesCount32(types)
	return Size{(len(" ") + len(quoted(text))) * count, count}
}

// fit widens items until the list is within the budget. First it removes the paths of the
// hosts that take the most room. Then it widens hosts to their domain, again the largest group
// first. It records in widened what it replaced. ok is false if the list is still too long.
func (l *headerList) fit(widened map[string]string) (ok bool) {
	size := l.size().Bytes
	for width := 1; width <= 2 && size > HeaderBudget; width++ {
		groups := map[string][]*entry{}
		for _, i := range l.items {
			if text := i.texts[width]; text != "" && text != i.text() {
				groups[text] = append(groups[text], i)
			}
		}
		saved := map[string]int{}
		for text, group := range groups {
			saved[text] = saving(group, text)
		}
		for _, text := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
			return cmp.Or(cmp.Compare(saved[b], saved[a]), cmp.Compare(a, b))
		}) {
			if size <= HeaderBudget || saved[text] <= 0 {
				break
			}
			for _, i := range groups[text] {
				i.width = width
			}
			size -= saved[text]
		}
		size = l.size().Bytes // a text that two groups share was counted twice
	}
	for _, i := range l.items {
		if i.width > 0 {
			widened[i.texts[0]] = i.text()
		}
	}
	l.merge()
	return size <= HeaderBudget
}

// saving returns how many bytes it saves to replace a group with a text.
func saving(group []*entry, text string) int {
	var copies uint32
	for _, i := range group {
		copies |= i.copies
	}
	return sizeOf(group).Bytes - sizeOfText(text, copies).Bytes
}

// merge joins items that now have the same text.
func (l *headerList) merge() {
	first := map[string]*entry{}
	var all []*entry
	for _, i := range l.items {
		if same := first[i.text()]; same != nil {
			same.types |= i.types
			same.copies |= i.copies
			continue
		}
		first[i.text()] = i
		all = append(all, i)
	}
	l.items = all
}
