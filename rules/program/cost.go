package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

const (
	// MaxCompared is the largest number of labels and segments that one request may have to be
	// compared with, in patterns and exceptions.
	MaxCompared = 4_096
	// MaxSought is how many of them may be segments of runs. A run is the segments between two
	// "**"; the longest run of each pattern counts. Each such segment may be compared with
	// every segment of the path.
	MaxSought = 6
)

// A cost is the number of labels and segments to compare, and how many of them to search for
// in the whole path.
type cost struct{ parts, sought int }

func (c cost) plus(o cost) cost { return cost{c.parts + o.parts, c.sought + o.sought} }

func (c cost) most(o cost) cost { return cost{max(c.parts, o.parts), max(c.sought, o.sought)} }

// costOf returns the cost of one target, without exceptions.
func costOf(t *rule.Target) cost {
	c := cost{parts: len(t.Host.Labels) + len(t.Path)}
	run, deep := 0, false // segments since the last "**", and whether there was one
	for _, segment := range t.Path {
		if !segment.Any {
			run++
			continue
		}
		if deep {
			c.sought = max(c.sought, run)
		}
		run, deep = 0, true
	}
	return c
}

func sum(list []placedTarget) (c cost) {
	for _, t := range list {
		c = c.plus(t.cost)
	}
	return c
}

// checkCosts adds up the patterns that one request could meet: those of its host, of each end
// of the host, and of each directory of its path. It rejects a policy in which they cost too
// much.
func checkCosts(all []*bucket) error {
	byKey := make(map[string]*bucket, len(all))
	for _, b := range all {
		byKey[b.host+b.path] = b
	}
	// The cost of the most expensive path of each host: for the host itself, and for the hosts
	// below it.
	own, below := map[string]cost{}, map[string]cost{}
	for _, b := range all {
		whole, inherited := sum(b.exact).plus(sum(b.below)), sum(b.below)
		for path := b.path; path != ""; {
			path = strings.TrimSuffix(path, "/")
			path = path[:strings.LastIndexByte(path, '/')+1]
			if path == "/" {
				path = ""
			}
			if up := byKey[b.host+path]; up != nil {
				whole, inherited = whole.plus(sum(up.exact)).plus(sum(up.below)), inherited.plus(sum(up.below))
			}
		}
		own[b.host], below[b.host] = own[b.host].most(whole), below[b.host].most(inherited)
	}
	for _, b := range all {
		if len(b.exact)+len(b.below) == 0 {
			continue // everything is split, and the list contains the parts
		}
		total := own[b.host]
		for _, above, more := strings.Cut(b.host, "."); more; _, above, more = strings.Cut(above, ".") {
			total = total.plus(below[above])
		}
		switch {
		case total.parts > MaxCompared:
			return &LimitError{b.last(), fmt.Sprintf("more than %d labels and segments, in all the patterns and exceptions that one request to %s could have to be compared with", MaxCompared, b.host)}
		case total.sought > MaxSought:
			return &LimitError{b.last(), fmt.Sprintf("more than %d segments between two **, in all the patterns and exceptions that one request to %s could have to be compared with", MaxSought, b.host)}
		}
	}
	return nil
}

// last returns the bucket's pattern that comes last in the policy.
func (b *bucket) last() *rule.Pattern {
	list := slices.Concat(b.exact, b.below)
	return list[len(list)-1].pattern
}
