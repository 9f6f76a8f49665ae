package rule

import "strings"

// settled reads the usual URL, one that a browser has written and that is
// canonical already, in one pass and without an allocation. It returns false for
// every URL of which that is not certain, also for many that are canonical:
// Locate then does the whole work, and decides.
//
// On the way it hashes the host, in the base of the program that will be asked.
func settled(raw string, base uint32, u *Location) bool {
	start := 0
	switch {
	case strings.HasPrefix(raw, "https://"):
		u.Scheme, u.Port, start = 1, 443, 8
	case strings.HasPrefix(raw, "http://"):
		u.Scheme, u.Port, start = 0, 80, 7
	case strings.HasPrefix(raw, "wss://"):
		u.Scheme, u.Port, start = 3, 443, 6
	case strings.HasPrefix(raw, "ws://"):
		u.Scheme, u.Port, start = 2, 80, 5
	default:
		return false
	}
	at := settledHost(raw, start, base, u)
	if at < 0 {
		return false
	}
	u.Host = raw[start:at]
	if at < len(raw) && raw[at] == ':' {
		if at = settledPort(raw, at+1, u); at < 0 {
			return false
		}
	}
	if at == len(raw) || raw[at] != '/' {
		return false
	}
	path := at
	for ; at < len(raw); at++ {
		if classes[raw[at]]&inPath != 0 {
			continue
		}
		if raw[at] != '.' {
			break
		}
		if raw[at-1] == '/' { // it may be a dot segment
			return false
		}
	}
	u.Path, u.Text = raw[path:at], raw
	if at == len(raw) {
		return true
	}
	if raw[at] != '?' {
		return false
	}
	for at++; at < len(raw); at++ {
		if classes[raw[at]]&inQuery == 0 {
			return false
		}
	}
	return true
}

// settledHost reads a host name and returns the index after it, or -1. It
// leaves to others what may be an address or an internationalised name.
func settledHost(raw string, start int, base uint32, u *Location) int {
	at, count := start, 0
	previous, wrong, h := edge, uint8(0), uint32(0)
	for ; at < len(raw); at++ {
		class := classes[raw[at]]
		if class&inHost == 0 {
			break
		}
		wrong |= class & previous
		previous = class
		h = h*base + uint32(raw[at])
		if class&dot != 0 {
			if count == len(u.Labels) {
				return -1
			}
			u.Labels[count] = Label{int32(at + 1 - start), h}
			count++
		}
	}
	// An edge beside an edge is an empty label, one that begins or ends with a
	// hyphen, or two hyphens, as in punycode.
	if (wrong|previous)&edge != 0 || at-start > MaxHost {
		return -1
	}
	last := start
	if count > 0 {
		last += int(u.Labels[count-1].Start)
	}
	if raw[last] <= '9' {
		return -1
	}
	u.Count, u.Hash = count, h
	return at
}

// settledPort reads a port that is not the scheme's own and returns the index
// after it, or -1.
func settledPort(raw string, first int, u *Location) int {
	at, port := first, 0
	for ; at < len(raw) && raw[at]-'0' <= 9 && at-first < 6; at++ {
		port = port*10 + int(raw[at]-'0')
	}
	if port < 1 || port > 65535 || port == u.Port || raw[first] == '0' {
		return -1
	}
	u.Port = port
	return at
}

// What a byte may be part of, as it stands, and what it is in a host.
const (
	inHost uint8 = 1 << iota
	inPath
	inQuery
	edge // a dot or a hyphen
	dot
)

// classes: in a query the URL Standard leaves all printable characters alone
// but for five (https://url.spec.whatwg.org/#special-query-percent-encode-set).
// A dot in a path is looked at by itself.
var classes = func() (all [256]uint8) {
	for c := byte('!'); c <= '~'; c++ {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-_.", c) >= 0 {
			all[c] |= inHost
		}
		if c == '/' || isPchar(c) && c != '.' {
			all[c] |= inPath
		}
		if strings.IndexByte("\"#'<>", c) < 0 {
			all[c] |= inQuery
		}
	}
	all['-'] |= edge
	all['.'] |= edge | dot
	return all
}()
