package browsermodel

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// A URL is a URL that the browser has serialized, in the parts that policies use. Port is ""
// for the scheme's default, and Path has no query.
type URL struct{ Scheme, Host, Port, Path string }

// ParseURL parses a URL as a browser parses a URL in a page.
func ParseURL(raw string) (URL, error) {
	u, err := whatwg.Parse(raw)
	if err != nil {
		return URL{}, err
	}
	return URL{Scheme: strings.TrimSuffix(u.Protocol(), ":"), Host: u.Hostname(), Port: u.Port(), Path: u.Pathname()}, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}
