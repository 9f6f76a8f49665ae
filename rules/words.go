package rules

import (
	"fmt"
	"slices"
	"strings"
)

// ParseMethod reads a request method that rules can name. The error names all methods and
// suggests the nearest.
func ParseMethod(text string) (string, error) { return parseWord(text, "method", Methods) }

// ParseType reads a request type. The error names all types and suggests the nearest.
func ParseType(text string) (Type, error) { return parseWord(text, "type", Types) }

// ParseRequest reads a request that a user asks about. If kind is "", the type is
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

// parseWord reads a word that is not in a file. [word] reads and reports words in files.
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

// DefaultType returns the type that a request is assumed to have if only its URL is known.
func DefaultType(url string) Type {
	scheme, _, _ := strings.Cut(url, ":")
	if s := strings.ToLower(scheme); s == "ws" || s == "wss" {
		return TypeWebSocket
	}
	return TypeFetch
}
