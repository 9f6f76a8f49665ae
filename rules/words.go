package rules

import (
	"fmt"
	"slices"
	"strings"
)

// ParseMethod reads a request method that rules can name. The error names them
// all and the nearest.
func ParseMethod(text string) (string, error) { return parseWord(text, "method", Methods) }

// ParseType reads a request type. The error names them all and the nearest.
func ParseType(text string) (Type, error) { return parseWord(text, "type", Types) }

// ParseRequest reads a request that somebody asks about. Without a type it has
// [DefaultType].
func ParseRequest(method, url, kind string) (Request, error) {
	if _, err := ParseMethod(method); err != nil {
		return Request{}, err
	}
	if kind == "" {
		return Request{Method: method, URL: url, Type: DefaultType(url)}, nil
	}
	t, err := ParseType(kind)
	return Request{Method: method, URL: url, Type: t}, err
}

// parseWord is for words that stand in no file; [word] reports those that do.
func parseWord[T ~string](text, what string, allowed []T) (T, error) {
	if slices.Contains(allowed, T(text)) {
		return T(text), nil
	}
	near, _ := nearestWithin(text, allowed, len(text)/2+1)
	best := didYouMean(near)
	if best != "" {
		best = "; " + best
	}
	return "", fmt.Errorf("unknown %s %q; the %ss are %s%s", what, text, what, list(allowed), best)
}

// DefaultType is the type that a request is taken to have if nothing but its URL
// is known.
func DefaultType(url string) Type {
	scheme, _, _ := strings.Cut(url, ":")
	if s := strings.ToLower(scheme); s == "ws" || s == "wss" {
		return TypeWebSocket
	}
	return TypeFetch
}
