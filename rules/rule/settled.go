package rule

import "strings"

// settled reads a URL in the usual form, which a browser has written and which is canonical
// already. It takes one pass and no allocation. It returns false for every URL of which that
// is uncertain, including many canonical ones. Then Locate does the full work and decides.
//
// On the way, settled hashes the host with the base of the program that will decide.
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
		if raw[at-1] == '/' { // this may be a dot segment
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

// settledHost reads a host name and returns the index after it, or -1. It returns -1 for a
// name that may be an address or internationalized.
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
	// Two adjacent edges mean an empty label, a label that begins or ends with a hyphen, or
	// two hyphens, as in Punycode.
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

// settledPort reads a port other than the scheme's default and returns the index after it, or
// -1.
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

// The parts of a URL in which a byte may appear unchanged, and the byte's role in a host.
const (
	inHost uint8 = 1 << iota
	inPath
	inQuery
	edge // a dot or a hyphen
	dot
)

// classes has these bits for each byte. In a query the URL Standard keeps all printable
// characters except five (https://url.spec.whatwg.org/#special-query-percent-encode-set). The
// caller checks dots in a path.
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
