package rules

import "strings"

// matchLabels compares the labels of a pattern at an index of the pool with
// the end of a host, from the last label to the first, and returns the index
// after them. If named, a star stands for no internationalised label.
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
		ok = ok && !ended && same && (literal || !named || !strings.HasPrefix(label, punycodePrefix))
		ended = dot < 0
		rest = rest[:max(dot, 0)]
	}
	return ok && ended != more && !(more && named && internationalised(rest)), at
}

// matchPart compares a part at an index of the pool, and returns the index
// after it.
func (p *Program) matchPart(at int, text string) (ok bool, after int) {
	star := p.pool[at] == partStar
	prefix, at := p.read(at + 1)
	if !star {
		return text == prefix, at
	}
	suffix, at := p.read(at)
	return len(text) >= len(prefix)+len(suffix) && strings.HasPrefix(text, prefix) && strings.HasSuffix(text, suffix), at
}

// matchPath compares the path at an index of the pool with one that begins
// with a slash.
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

// matchSegments walks the segments. What stands after the last "**" is the end
// of the path. Before that, on a mismatch the last "**" takes one more segment:
// an earlier one need never be tried again, since whatever it could take, the
// last one can take too. So the time is linear in the path times the few
// segments that may stand between two "**".
func (p *Program) matchSegments(at int, path string) bool {
	tail := p.length(at + 2)
	middle, tailAt := p.length(at)-tail, at+6+p.length(at+4)
	at += 6
	from, next := 1, 0
	retry, retryAt, restart := -1, 0, 0
	for next < middle {
		if from > len(path) {
			return false
		}
		end := segmentEnd(path, from)
		if p.pool[at] == segmentAny {
			next, at, from = next+1, at+1, end+1
			retry, retryAt, restart = next, at, from
			continue
		}
		if ok, after := p.matchPart(at, path[from:end]); ok {
			next, at, from = next+1, after, end+1
			continue
		}
		if retry < 0 {
			return false
		}
		restart = segmentEnd(path, restart) + 1
		next, at, from = retry, retryAt, restart
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
		end := segmentEnd(path, from)
		var ok bool
		if ok, at = p.matchPart(at, path[from:end]); !ok {
			return false
		}
		from = end + 1
	}
	return from > len(path)
}

// lastSegments returns where the last segments of the path begin, or -1 if it
// has fewer.
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

// segmentEnd returns the index of the slash that ends the segment at from, or
// the path's length.
func segmentEnd(path string, from int) int {
	if n := strings.IndexByte(path[from:], '/'); n >= 0 {
		return from + n
	}
	return len(path)
}
