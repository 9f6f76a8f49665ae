package browsermodel

import (
	"fmt"
	"net/http"
	"strings"
)

// Connections reads the Connection-Allowlist of a header set: one inner list of RFC 9651 with
// strings and the token response-origin. The only legal parameter is the one that lets a page
// observe what the list blocks. self reports whether the token is there.
func Connections(header http.Header) (self bool, patterns []string, err error) {
	value := strings.TrimSuffix(header.Get("Connection-Allowlist"), ";report-to=bellglass")
	rest, ok := strings.CutPrefix(value, "(")
	for first := true; ok && rest != ")"; first = false {
		if !first {
			if rest, ok = strings.CutPrefix(rest, " "); !ok {
				break
			}
		}
		if after, found := strings.CutPrefix(rest, "response-origin"); found {
			self, rest = true, after
			continue
		}
		if rest, ok = strings.CutPrefix(rest, `"`); !ok {
			break
		}
		var text strings.Builder
		for ok = false; rest != "" && !ok; rest = rest[1:] {
			switch c := rest[0]; {
			case c == '"':
				ok = true
			case c == '\\' && len(rest) > 1 && (rest[1] == '"' || rest[1] == '\\'):
				rest = rest[1:]
				text.WriteByte(rest[0])
			case c == '\\' || c < ' ' || c > '~':
				return false, nil, fmt.Errorf("the Connection-Allowlist %q holds a string that is none at %q", value, rest)
			default:
				text.WriteByte(c)
			}
		}
		patterns = append(patterns, text.String())
	}
	if !ok {
		return false, nil, fmt.Errorf("the Connection-Allowlist %q is no single inner list at %q", value, rest)
	}
	return self, patterns, nil
}

// A Pattern is a URLPattern string of literals, escapes, and asterisks. No other syntax may be
// sent.
type Pattern struct{ scheme, host, port, path []token }

// A token is a literal byte, or any run of bytes if star is set.
type token struct {
	literal byte
	star    bool
}

// ParsePattern parses a URLPattern string. It rejects characters that a browser would not read
// as a literal or an asterisk.
func ParsePattern(text string) (p Pattern, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || defaultPorts[scheme] == "" {
		return p, fmt.Errorf("the pattern %q has no scheme", text)
	}
	parts, at := [3][]token{}, 0 // host, port, path
	for ; rest != ""; rest = rest[1:] {
		c := rest[0]
		switch {
		case c == '\\' && len(rest) > 1:
			rest = rest[1:]
			parts[at] = append(parts[at], token{literal: rest[0]})
		case c == '*' && len(parts[at]) > 0 && parts[at][len(parts[at])-1].star:
			return p, fmt.Errorf("the pattern %q has an asterisk that modifies another", text)
		case c == '*':
			parts[at] = append(parts[at], token{star: true})
		case c == ':' && at == 0:
			at = 1
		case c == '/' && at < 2:
			at = 2
			parts[at] = append(parts[at], token{literal: c})
		case strings.IndexByte(`:+?(){}\#`, c) >= 0:
			return p, fmt.Errorf("the pattern %q has a %q that is not escaped", text, c)
		default:
			parts[at] = append(parts[at], token{literal: c})
		}
	}
	for _, c := range []byte(scheme) {
		p.scheme = append(p.scheme, token{literal: c})
	}
	if at != 2 {
		return p, fmt.Errorf("the pattern %q has no path, which would stand for any search and hash too", text)
	}
	p.host, p.port, p.path = parts[0], parts[1], parts[2]
	return p, nil
}

// Match reports whether each component of the URL matches. Nothing is decoded. A WebSocket is
// checked as the http or https request that opens it (measured in Chromium 156).
func (p Pattern) Match(u URL) bool {
	switch u.Scheme {
	case "ws":
		u.Scheme = "http"
	case "wss":
		u.Scheme = "https"
	}
	return matchTokens(p.scheme, u.Scheme) && matchTokens(p.host, u.Host) && matchTokens(p.port, u.Port) && matchTokens(p.path, u.Path)
}

// matchTokens compares from left to right. On a mismatch, the last star takes one more byte.
func matchTokens(pattern []token, text string) bool {
	next, at, afterStar, taken := 0, 0, -1, 0
	for at < len(text) {
		switch {
		case next < len(pattern) && pattern[next].star:
			next++
			afterStar, taken = next, at
		case next < len(pattern) && pattern[next].literal == text[at]:
			next, at = next+1, at+1
		case afterStar >= 0:
			taken++
			next, at = afterStar, taken
		default:
			return false
		}
	}
	for next < len(pattern) && pattern[next].star {
		next++
	}
	return next == len(pattern)
}

// Connects reports whether one of an allowlist's patterns allows a connection to the URL.
func Connects(patterns []string, u URL) (bool, error) {
	connects := false
	for _, text := range patterns {
		p, err := ParsePattern(text)
		if err != nil {
			return false, fmt.Errorf("the browser takes a pattern for something else: %w", err)
		}
		connects = connects || p.Match(u)
	}
	return connects, nil
}
