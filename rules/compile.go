package rules

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/bellglass/bellglass/rules/rule"
)

// maxPattern is the longest pattern, in bytes.
const maxPattern = 256

// A patternError is a mistake at a byte offset of a pattern.
type patternError struct {
	off       int
	msg, hint string
}

// compilePattern turns scheme://host[:port][/path] into its targets. It reports only the first
// mistake, because reports of later ones would be guesses.
func compilePattern(source string) ([]Target, *patternError) {
	if len(source) > maxPattern {
		return nil, &patternError{maxPattern, fmt.Sprintf("the pattern has %d bytes; %d are allowed", len(source), maxPattern), "write several patterns"}
	}
	if err := forbidden(source); err != nil {
		return nil, err
	}
	scheme, err := compileScheme(source)
	if err != nil {
		return nil, err
	}
	hostAt := len(scheme) + len("://")
	authority, path := source[hostAt:], ""
	pathAt := len(source)
	if slash := strings.IndexByte(authority, '/'); slash >= 0 {
		pathAt = hostAt + slash
		authority, path = source[hostAt:pathAt], source[pathAt:]
	}
	if at := strings.IndexByte(authority, '@'); at >= 0 {
		return nil, &patternError{hostAt + at, "a user name before @; a request with one is always blocked", "leave out everything up to the @"}
	}
	host, port, err := splitPort(authority, hostAt, scheme)
	if err != nil {
		return nil, err
	}
	hosts, err := compileHosts(host, hostAt)
	if err != nil {
		return nil, err
	}
	paths, err := compilePaths(path, pathAt)
	if err != nil {
		return nil, err
	}
	if n := len(hosts) * len(paths); n > maxAlternatives {
		return nil, tooMany(strings.IndexByte(source, '{'))
	}
	var all []Target
	for _, h := range hosts {
		for _, p := range paths {
			all = append(all, Target{Scheme: scheme, Host: h, Port: port, Path: p})
		}
	}
	return all, nil
}

func tooMany(off int) *patternError {
	return &patternError{off, fmt.Sprintf("the braces make more than %d alternatives", maxAlternatives), "write several patterns"}
}

// forbidden reports a character that is illegal in every part of a pattern.
func forbidden(source string) *patternError {
	for at, r := range source {
		switch {
		case r == ' ':
			return &patternError{at, "a space in the pattern", "several patterns are a list: [a, b]; a space in a path is written %20"}
		case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return &patternError{at, fmt.Sprintf("the character U+%04X in the pattern", r), "white space and invisible characters have no place in a pattern"}
		case r == '\\':
			return &patternError{at, "a backslash in the pattern; browsers read it as a slash", "nothing is escaped with a backslash here; write / for a slash"}
		case r == '#':
			return &patternError{at, "a fragment (#…) in the pattern; it is never sent, so it cannot be matched", "leave it out; a # in a path is written %23"}
		case r == '?':
			return &patternError{at, "a query (?…) in the pattern; the query is not matched", "leave it out; every query of a path that matches is covered, and ? is no wildcard"}
		}
	}
	return nil
}

func compileScheme(source string) (string, *patternError) {
	scheme, rest, ok := strings.Cut(source, "://")
	if !ok {
		return "", withoutScheme(source)
	}
	if rule.DefaultPort(scheme) != 0 {
		return scheme, nil
	}
	if strings.ContainsAny(scheme, "*{") {
		return "", &patternError{0, "the scheme is no glob: it must be literal", fmt.Sprintf("write a list, [http://%s, https://%s]", rest, rest)}
	}
	scheme, _, _ = strings.Cut(scheme, ":") // blob:https://…
	hint := "the schemes are http, https, ws and wss"
	if lower := strings.ToLower(scheme); rule.DefaultPort(lower) != 0 {
		hint = fmt.Sprintf("write %s", lower)
	}
	return "", &patternError{0, fmt.Sprintf("no rule can have the scheme %q", scheme), hint}
}

// withoutScheme returns the mistake in a pattern that has no "://".
func withoutScheme(source string) *patternError {
	const msg = "the pattern has no scheme"
	name, rest, colon := strings.Cut(source, ":")
	rest = strings.TrimLeft(rest, "/")
	switch {
	case colon && rule.DefaultPort(name) != 0 && rest != "":
		return &patternError{len(name), msg + " with two slashes after it", fmt.Sprintf("write %s://%s", name, rest)}
	case colon && noPort(rest) && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "":
		return &patternError{0, fmt.Sprintf("no rule can have the scheme %q", name), "the schemes are http, https, ws and wss"}
	case source == "'self'" || source == "self":
		return &patternError{0, msg, "a sandbox's own files need no rule; delete it"}
	case strings.HasPrefix(source, "*") && !strings.HasPrefix(source, "*."):
		return &patternError{0, msg + "; a pattern is no glob over a whole URL", "write scheme://host[:port][/path], in which each part is matched on its own, as in https://*.example.com/v1/**"}
	case strings.HasPrefix(source, "/") && !strings.HasPrefix(source, "//"):
		return &patternError{0, msg, "write scheme://host before the path, for instance https://example.com" + source}
	case portAlone(source):
		return &patternError{0, msg + " and no host", "write http://localhost" + source}
	case strings.Trim(source, "/") != "":
		source = strings.TrimLeft(source, "/")
		return &patternError{0, msg, "write " + usualScheme(source) + "://" + source}
	}
	return &patternError{0, msg, "begin with https://"}
}

// usualScheme guesses the scheme of a pattern without one: servers on this machine
// and at literal addresses seldom have a certificate.
func usualScheme(source string) string {
	authority, _, _ := strings.Cut(source, "/")
	host, port, ported := strings.Cut(authority, ":")
	host = strings.ToLower(host)
	_, number := parseIPv4(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || number || strings.HasPrefix(authority, "[") || ported && port == "80" {
		return "http"
	}
	return "https"
}

// portAlone reports whether a pattern is only a port and perhaps a path. People write :3000
// for a server on their machine.
func portAlone(source string) bool {
	port, colon := strings.CutPrefix(source, ":")
	port, _, _ = strings.Cut(port, "/")
	return colon && port != "" && strings.Trim(port, "0123456789") == ""
}

func noPort(text string) bool {
	return text != "" && text[0] != '*' && (text[0] < '0' || text[0] > '9')
}

// splitPort splits an authority into host and port. Port 0 means any port. base is the offset
// of the authority in the pattern.
func splitPort(authority string, base int, scheme string) (host string, port int, _ *patternError) {
	colon := strings.LastIndexByte(authority, ':')
	if bracket := strings.LastIndexByte(authority, ']'); colon < bracket {
		colon = -1
	}
	if colon < 0 {
		return authority, rule.DefaultPort(scheme), nil
	}
	host, text := authority[:colon], authority[colon+1:]
	if text == "*" {
		return host, 0, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 || strconv.Itoa(port) != text {
		if strings.Contains(text, "}") && !strings.Contains(text, "{") {
			return "", 0, portInBraces(base + colon)
		}
		hint := "leave the port out for the scheme's default, or write :* for any; several ports are several patterns"
		if strings.HasPrefix(authority, "[") || strings.Contains(authority, "{") || strings.Count(authority, ":") < 2 {
			return "", 0, &patternError{base + colon + 1, fmt.Sprintf("the port %q is neither a number from 1 to 65535 nor *", text), hint}
		}
		return "", 0, &patternError{base, "more than one colon in the host", "an IPv6 address stands in brackets, [::1]"}
	}
	return host, port, nil
}

func portInBraces(off int) *patternError {
	return &patternError{off, "a port inside of braces", "write several patterns; braces in a host hold nothing but names"}
}
