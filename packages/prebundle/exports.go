package prebundle

import (
	"fmt"
	"slices"
	"strings"
)

// conditions are the words that decide in exports and imports.
type conditions []string

func (c conditions) has(word string) bool { return word == "default" || slices.Contains(c, word) }

// target follows exports or imports, as Node.js does, and returns what the subpath stands
// for: a path that begins with "./", or for imports also a package. ok is false if there is
// no such subpath.
func target(table *node, subpath string, c conditions) (to string, ok bool) {
	if !table.object || len(table.keys) == 0 || !strings.HasPrefix(table.keys[0], ".") && !strings.HasPrefix(table.keys[0], "#") {
		if subpath != "." {
			return "", false
		}
		return choose(table, "", c)
	}
	if n := table.get(subpath); n != nil && !strings.Contains(subpath, "*") && !strings.HasSuffix(subpath, "/") {
		return choose(n, "", c)
	}
	// The longest part before the star decides.
	best, bestPrefix, matched := (*node)(nil), -1, ""
	for i, key := range table.keys {
		prefix, suffix, star := strings.Cut(key, "*")
		if !star && !strings.HasSuffix(key, "/") {
			continue
		}
		// A star stands for at least one character.
		if len(prefix) > bestPrefix && len(subpath) > len(prefix)+len(suffix) && strings.HasPrefix(subpath, prefix) && strings.HasSuffix(subpath, suffix) {
			best, bestPrefix, matched = table.values[i], len(prefix), subpath[len(prefix):len(subpath)-len(suffix)]
		}
	}
	if best == nil {
		return "", false
	}
	return choose(best, matched, c)
}

// choose returns the target by its conditions, with the star replaced.
func choose(n *node, matched string, c conditions) (string, bool) {
	switch {
	case n.isText:
		to := strings.ReplaceAll(n.text, "*", matched)
		if strings.HasSuffix(n.text, "/") { // a folder, as old packages have it
			to = n.text + matched
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(to, "./"), "/") {
			if part == ".." || part == "." || part == "node_modules" {
				return "", false
			}
		}
		return to, true
	case n.object:
		for i, key := range n.keys {
			if c.has(key) {
				if to, ok := choose(n.values[i], matched, c); ok {
					return to, true
				} else if n.values[i].isNull {
					return "", false
				}
			}
		}
	default:
		for _, each := range n.list {
			if to, ok := choose(each, matched, c); ok {
				return to, true
			}
		}
	}
	return "", false
}

// subpaths lists what exports has, for an error.
func (m *manifest) subpaths() (all []string) {
	if m.exports == nil {
		return nil
	}
	for _, key := range m.exports.keys {
		if strings.HasPrefix(key, ".") {
			all = append(all, key)
		}
	}
	if all == nil {
		all = []string{"."}
	}
	return all
}

// A SubpathError says that a package has no such subpath.
type SubpathError struct {
	Package string // NAME@VERSION
	Subpath string // such as "./client"
	Has     []string
	Reason  string
}

func (e *SubpathError) Error() string {
	name := e.Package[:strings.LastIndex(e.Package, "@")]
	text := fmt.Sprintf("%s has no %s: %s", e.Package, name+strings.TrimPrefix(e.Subpath, "."), e.Reason)
	if len(e.Has) > 0 {
		var list []string
		for _, each := range e.Has[:min(len(e.Has), 12)] {
			list = append(list, name+strings.TrimPrefix(each, "."))
		}
		text += "; it exports " + strings.Join(list, ", ")
		if len(e.Has) > 12 {
			text += fmt.Sprintf(" and %d more", len(e.Has)-12)
		}
	}
	return text
}
