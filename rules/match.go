package rules

import "strings"

// Match reports whether the target covers a URL of these parts, which must be
// canonical: host in lower case, path spelled as [CanonicalPath] does. Its time
// is linear in the URL: each part is compared with a prefix and a suffix, and
// of several "**" only the last is ever tried again.
func (t *Target) Match(scheme, host string, port int, path string) bool {
	return t.Scheme == scheme && (t.Port == 0 || t.Port == port) && t.Host.match(host) && matchPath(t.Path, path)
}

// match compares labels from the last to the first, because that end is the one
// that a pattern fixes.
func (h *Host) match(host string) bool {
	for i := len(h.Labels) - 1; i >= 0; i-- {
		dot := strings.LastIndexByte(host, '.')
		if !h.Labels[i].match(host[dot+1:]) {
			return false
		}
		if dot < 0 {
			return i == 0 && !h.Sub
		}
		host = host[:dot]
	}
	return h.Sub && len(h.Labels) > 0
}

func (p *Part) match(s string) bool {
	if !p.Star {
		return s == p.Prefix
	}
	return len(s) >= len(p.Prefix)+len(p.Suffix) && strings.HasPrefix(s, p.Prefix) && strings.HasSuffix(s, p.Suffix)
}

// matchPath walks the segments of path, which begins with a slash. On a
// mismatch the last "**" takes one more segment: an earlier one need never be
// tried again, since whatever it could take, the last one can take too.
func matchPath(pattern []Segment, path string) bool {
	if pattern == nil {
		return true
	}
	next, retry, restart := 0, -1, 0
	for at := 1; at <= len(path); {
		end := segmentEnd(path, at)
		switch {
		case next < len(pattern) && pattern[next].Any:
			next++
			retry, restart = next, end+1
			at = restart
		case next < len(pattern) && pattern[next].match(path[at:end]):
			next++
			at = end + 1
		case retry >= 0:
			restart = segmentEnd(path, restart) + 1
			next, at = retry, restart
		default:
			return false
		}
	}
	return next == len(pattern)
}

// segmentEnd returns the index of the slash that ends the segment at from, or
// the path's length.
func segmentEnd(path string, from int) int {
	if n := strings.IndexByte(path[from:], '/'); n >= 0 {
		return from + n
	}
	return len(path)
}

// NamesIDN reports whether every punycode label of host ("xn--…") stands in the
// target literally. Browsers differ in the version of the IDNA tables, and a
// label that somebody wrote down is the same in all of them.
func (t *Target) NamesIDN(host string) bool {
	labels := t.Host.Labels
	for i := len(labels) - 1; ; i-- {
		dot := strings.LastIndexByte(host, '.')
		if strings.HasPrefix(host[dot+1:], "xn--") && (i < 0 || labels[i].Star) {
			return false
		}
		if dot < 0 {
			return true
		}
		host = host[:dot]
	}
}
