package rules

import (
	"fmt"
	"slices"
	"strings"
)

// The most patterns that one request may have to be compared with, exceptions
// among them; and the most of these that have something after a "**", whose
// comparison may read the whole path.
const maxCompared, maxDeep = 1_024, 32

// A cost is how many patterns there are to compare.
type cost struct{ all, deep int }

func (c cost) plus(o cost) cost { return cost{c.all + o.all, c.deep + o.deep} }

func (c cost) most(o cost) cost { return cost{max(c.all, o.all), max(c.deep, o.deep)} }

// costOf is that of one target, without exceptions.
func costOf(t *Target) cost {
	c := cost{all: 1}
	for i, segment := range t.Path {
		if segment.Any && i < len(t.Path)-1 {
			c.deep = 1
		}
	}
	return c
}

func sum(list []placedTarget) (c cost) {
	for _, t := range list {
		c = c.plus(t.cost)
	}
	return c
}

// checkCosts finds the patterns that one request could meet: those of its host
// and of each end of it, and of each directory of its path.
func checkCosts(all []*bucket) *limitError {
	byKey := make(map[string]*bucket, len(all))
	for _, b := range all {
		byKey[b.host+b.path] = b
	}
	// The dearest path of each host, for the host itself and for those below.
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
			continue // all of it is split, and the parts are in the list too
		}
		total := own[b.host]
		for _, above, more := strings.Cut(b.host, "."); more; _, above, more = strings.Cut(above, ".") {
			total = total.plus(below[above])
		}
		switch {
		case total.all > maxCompared:
			return &limitError{b.last(), fmt.Sprintf("more than %d patterns and exceptions that one request to %s could have to be compared with", maxCompared, b.host)}
		case total.deep > maxDeep:
			return &limitError{b.last(), fmt.Sprintf("more than %d patterns and exceptions with something after a ** that one request to %s could have to be compared with", maxDeep, b.host)}
		}
	}
	return nil
}

// last returns the pattern of the bucket that stands last in the policy.
func (b *bucket) last() *Pattern {
	list := slices.Concat(b.exact, b.below)
	return list[len(list)-1].pattern
}
