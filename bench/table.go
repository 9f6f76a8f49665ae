package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A table is printed as GitHub's Markdown. The first column is text, the others are
// numbers.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.head)
	b.WriteString("|---" + strings.Repeat("|--:", len(t.head)-1) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// grouped formats a number without decimals: 1,234,567.
func grouped(n float64) string {
	text := strconv.FormatInt(int64(math.Round(n)), 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func (c cell) String() string {
	text := grouped(c.least()) + " / " + grouped(c.median())
	if c.requests < requests {
		text += fmt.Sprintf(" (%d requests)", c.requests)
	}
	return text
}

// milliseconds returns the minimum and the median.
func (s samples) milliseconds() string { return ms(s.least()) + " / " + ms(s.median()) }

func ms(ns float64) string { return significant(ns / 1e6) }

// significant formats a number with at least two digits.
func significant(x float64) string {
	switch {
	case x == 0 || math.Abs(x) >= 10:
		return grouped(x)
	}
	return strconv.FormatFloat(x, 'f', 1-int(math.Floor(math.Log10(math.Abs(x)))), 64)
}

// ratio compares the fastest batches, which were disturbed least.
func ratio(a, b samples) string { return significant(a.least()/b.least()) + " ×" }
