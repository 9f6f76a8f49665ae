package program

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// matchLabels compares the labels of a pattern at an index of the pool with the end of a host,
// from the last label to the first. It returns the index after them. If named is set, a star
// does not stand for an internationalized label.
func (p *Program) matchLabels(at int, host string, named bool) (ok bool, after int) {
	count, more := int(p.pool[at]), p.pool[at+1] == 1
	at += 2
	rest, ended := host, host == ""
	ok = true
	for range count {
		dot := strings.LastIndexByte(rest, '.')
		label := rest[dot+1:]
		literal := p.pool[at] == partLiteral
		var same bool
		same, at = p.matchPart(at, label)
		ok = ok && !ended && same && (literal || !named || !strings.HasPrefix(label, rule.PunycodePrefix))
		ended = dot < 0
		rest = rest[:max(dot, 0)]
	}
	return ok && ended != more && !(more && named && internationalized(rest)), at
}

// matchPart compares a part at an index of the pool, and returns the index after it.
func (p *Program) matchPart(at int, text string) (ok bool, after int) {
	star := p.pool[at] == partStar
	prefix, at := p.read(at + 1)
	if !star {
		return text == prefix, at
	}
	suffix, at := p.read(at)
	return len(text) >= len(prefix)+len(suffix) && strings.HasPrefix(text, prefix) && strings.HasSuffix(text, suffix), at
}

// matchPath compares the path pattern at an index of the pool with a path that begins with a
// slash.
func (p *Program) matchPath(at int, path string) bool {
	switch p.pool[at] {
	case pathAny:
		return true
	case pathExact:
		text, _ := p.read(at + 1)
		return path == text
	case pathPrefix:
		text, _ := p.read(at + 1)
		return strings.HasPrefix(path, text)
	}
	return p.matchSegments(at+1, path)
}

// matchSegments compares segment by segment. The segments before the first "**" are the
// beginning of the path, and the segments after the last one are its end.
//
// Between two "**" is a run of a few segments, which is searched for. Its first occurrence is
// enough: whatever follows a later occurrence also follows the first. So the time is linear in
// the path times the few segments of a run.
func (p *Program) matchSegments(at int, path string) bool {
	tail := p.length(at + 2)
	middle, tailAt := p.length(at)-tail, at+6+p.length(at+4)
	at += 6
	from, next := 1, 0
	for next < middle && p.pool[at] != segmentAny {
		if from > len(path) {
			return false
		}
		end := rule.SegmentEnd(path, from)
		var ok bool
		if ok, at = p.matchPart(at, path[from:end]); !ok {
			return false
		}
		next, from = next+1, end+1
	}
	for next < middle {
		if from > len(path) {
			return false
		}
		next, at, from = next+1, at+1, rule.SegmentEnd(path, from)+1 // a "**" is at least one segment
		var run [rule.MaxBetween]part
		count := 0
		for next < middle && p.pool[at] != segmentAny {
			run[count], at = p.readPart(at)
			next, count = next+1, count+1
		}
		if from = find(run[:count], path, from); from < 0 {
			return false
		}
	}
	if middle > 0 {
		if tail == 0 {
			return true
		}
		start := lastSegments(path, tail)
		if start < from {
			return false
		}
		from = start
	}
	for at = tailAt; tail > 0; tail-- {
		if from > len(path) {
			return false
		}
		end := rule.SegmentEnd(path, from)
		var ok bool
		if ok, at = p.matchPart(at, path[from:end]); !ok {
			return false
		}
		from = end + 1
	}
	return from > len(path)
}

// A part that is read once, to be compared often.
type part struct {
	star           bool
	prefix, suffix string
}

// readPart reads the part at an index of the pool, and returns the index after it.
func (p *Program) readPart(at int) (r part, after int) {
	r.star = p.pool[at] == partStar
	r.prefix, at = p.read(at + 1)
	if r.star {
		r.suffix, at = p.read(at)
	}
	return r, at
}

// find searches for segments that a run matches, beginning at a segment. It returns the index
// of the segment after them, or -1. It reads each segment once.
func find(run []part, path string, from int) int {
	// The bounds of the segments read last, as many as the run has.
	var begins, ends [rule.MaxBetween]int
	last := len(run) - 1
	for have := 0; ; have++ {
		if have > last {
			if matchRun(run, path, &begins, &ends) {
				return from
			}
			for i := range last {
				begins[i], ends[i] = begins[i+1], ends[i+1]
			}
		}
		if from > len(path) {
			return -1
		}
		end := from // most segments are short
		for end < len(path) && path[end] != '/' {
			end++
		}
		at := min(have, last)
		begins[at], ends[at], from = from, end, end+1
	}
}

func matchRun(run []part, path string, begins, ends *[rule.MaxBetween]int) bool {
	for i := range run {
		r, text := &run[i], path[begins[i]:ends[i]]
		switch {
		case !r.star && text != r.prefix:
			return false
		case r.star && (len(text) < len(r.prefix)+len(r.suffix) || !strings.HasPrefix(text, r.prefix) || !strings.HasSuffix(text, r.suffix)):
			return false
		}
	}
	return true
}

// lastSegments returns the index at which the last count segments of the path begin, or -1 if
// it has fewer.
func lastSegments(path string, count int) int {
	at := len(path)
	for ; count > 0 && at >= 0; count-- {
		at = strings.LastIndexByte(path[:at], '/')
	}
	if at < 0 {
		return -1
	}
	return at + 1
}
