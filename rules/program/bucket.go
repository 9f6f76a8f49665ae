package program

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

const (
	// splitAbove is how many targets a key may have before it is split by path. Up to that
	// number, comparing is faster than looking up.
	splitAbove = 16
	// maxProbes bounds the search for a slot. The compiler tries up to maxBases bases, until
	// no run of used slots is longer.
	maxProbes = 256
	maxBases  = 32
)

// A bucket is the targets of one key.
type bucket struct {
	host, path   string
	exact, below []placedTarget
	depth        int
}

// A placedTarget is a target in words, with the data that places it in a bucket.
type placedTarget struct {
	words   [wordsPerTarget]uint32
	path    string // the literal directory or whole path under which it is looked up
	cost    cost
	pattern *rule.Pattern
}

// A LimitError says which pattern exceeds a limit.
type LimitError struct {
	Pattern *rule.Pattern
	Msg     string
}

func (e *LimitError) Error() string { return e.Msg }

func newBucket(host, path string) *bucket { return &bucket{host: host, path: path} }

func (b *bucket) add(t placedTarget, below bool) {
	if below {
		b.below = append(b.below, t)
	} else {
		b.exact = append(b.exact, t)
	}
}

// split splits buckets that are too long by path, and checks the costs of the result.
func (b *builder) split() ([]*bucket, error) {
	all := b.order
	for _, whole := range b.order {
		if len(whole.exact)+len(whole.below) <= splitAbove {
			continue
		}
		byPath := map[string]*bucket{}
		part := func(list []placedTarget, below bool) (rest []placedTarget) {
			for _, t := range list {
				if t.path == "" {
					rest = append(rest, t)
					continue
				}
				bucket := byPath[t.path]
				if bucket == nil {
					bucket = newBucket(whole.host, t.path)
					byPath[t.path] = bucket
					all = append(all, bucket)
				}
				bucket.add(t, below)
				whole.depth = max(whole.depth, 1, strings.Count(t.path[1:], "/"))
			}
			return rest
		}
		whole.exact, whole.below = part(whole.exact, false), part(whole.below, true)
	}
	if err := checkCosts(all); err != nil {
		return nil, err
	}
	if len(all) > maxNumber {
		return nil, &LimitError{all[maxNumber].first(), fmt.Sprintf("the policy's patterns have more than %d hosts and directories", maxNumber)}
	}
	return all, nil
}

func (b *bucket) first() *rule.Pattern {
	for _, list := range [][]placedTarget{b.exact, b.below} {
		if len(list) > 0 {
			return list[0].pattern
		}
	}
	return nil
}
