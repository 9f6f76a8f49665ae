package rules

import "strings"

// settled reads the usual URL, one that a browser has written and that is
// canonical already, in one pass and without an allocation. ok is false for
// every URL of which that is not certain, also for many that are canonical:
// parseURL then does the whole work, and decides.
func settled(raw string) (u location, ok bool) {
	end := strings.Index(raw, "://")
	if end < 0 || end > len("https") {
		return u, false
	}
	u.scheme = raw[:end]
	standard := DefaultPort(u.scheme)
	if standard == 0 {
		return u, false
	}
	start := end + len("://")
	at, ok := settledHost(raw, start)
	if !ok {
		return u, false
	}
	u.host, u.port = raw[start:at], standard
	if at < len(raw) && raw[at] == ':' {
		first := at + 1
		u.port = 0
		for at = first; at < len(raw) && raw[at]-'0' <= 9 && at-first < 6; at++ {
			u.port = u.port*10 + int(raw[at]-'0')
		}
		if u.port < 1 || u.port > 65535 || u.port == standard || raw[first] == '0' {
			return u, false
		}
	}
	if at == len(raw) || raw[at] != '/' {
		return u, false
	}
	path := at
	for ; at < len(raw) && classes[raw[at]]&inPath != 0; at++ {
		if raw[at] == '.' && raw[at-1] == '/' { // it may be a dot segment
			return u, false
		}
	}
	u.path, u.text = raw[path:at], raw
	if at == len(raw) {
		return u, true
	}
	if raw[at] != '?' {
		return u, false
	}
	for at++; at < len(raw); at++ {
		if classes[raw[at]]&inQuery == 0 {
			return u, false
		}
	}
	return u, true
}

// settledHost reads a host name from start to at. It leaves to others what
// looks like an address or an internationalised name.
func settledHost(raw string, start int) (at int, ok bool) {
	label := start
	for at = start; at < len(raw); at++ {
		class := classes[raw[at]]
		if class&inLabel != 0 {
			continue
		}
		if raw[at] != '.' {
			break
		}
		if !settledLabel(raw[label:at]) {
			return at, false
		}
		label = at + 1
	}
	last := raw[label:at]
	return at, settledLabel(last) && last[0] > '9'
}

func settledLabel(label string) bool {
	return label != "" && label[0] != '-' && label[len(label)-1] != '-' && !strings.HasPrefix(label, "xn--")
}

// What a byte may be part of, as it stands.
const (
	inLabel uint8 = 1 << iota
	inPath
	inQuery
)

// classes: in a query the URL Standard leaves all printable characters alone
// but for five (https://url.spec.whatwg.org/#special-query-percent-encode-set).
var classes = func() (all [256]uint8) {
	for c := byte('!'); c <= '~'; c++ {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' {
			all[c] |= inLabel
		}
		if c == '/' || isPchar(c) {
			all[c] |= inPath
		}
		if strings.IndexByte("\"#'<>", c) < 0 {
			all[c] |= inQuery
		}
	}
	return all
}()
