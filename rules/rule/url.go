package rule

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxHost is the longest host, in bytes. Longer names cannot be resolved (RFC 1035, section
// 2.3.4). The authority may be longer, because it may contain percent-encodings and a user
// name. An authority of more than maxAuthority bytes is rejected unparsed.
const MaxHost, maxAuthority = 253, 1 << 10

// MaxURL is the longest URL that is judged, in bytes. Longer ones are blocked.
const MaxURL = 8 << 10

// A Location is the parts of a canonical URL that rules refer to.
type Location struct {
	Scheme     int // index in [Schemes]
	Host, Path string
	Port       int
	Text       string // the whole URL without its fragment
	// Count is how many labels of the host come before the last one. Labels has, for each
	// label after the first, its beginning and the hash of the text before it. Hash is the
	// hash of the whole host. If Hashed is false, none of these is set.
	Hashed bool
	Count  int
	Hash   uint32
	Labels [MaxLabels]Label
}

// MaxLabels is the largest number of labels before the last one that are hashed on the way.
const MaxLabels = 16

// A Label is the index at which a label begins in the host, and the hash of the host up to
// there.
type Label struct {
	Start int32
	Hash  uint32
}

// A urlError says why a URL is blocked before rules are consulted.
type urlError struct {
	code Code
	msg  string
}

func (e *urlError) Error() string { return e.msg }

func noncanonical(format string, args ...any) error {
	return &urlError{CodeNoncanonical, fmt.Sprintf(format, args...)}
}

// CanonicalURL returns the spelling of an absolute URL that rules are matched against. The URL
// Standard (https://url.spec.whatwg.org) defines the spelling that a browser would send.
//
// A strict profile on top of it rejects URLs that servers or browsers read in different ways:
// user names, hosts that end in a dot, other spellings of addresses, encoded slashes. The
// fragment is dropped, because it is never sent. If CanonicalURL returns an error, the request
// is blocked, and the error says why.
func CanonicalURL(raw string) (string, error) {
	var u Location
	if err := Locate(raw, 1, &u); err != nil { // the hash is not used
		return "", err
	}
	return u.Text, nil
}

// Locate reads a URL and gives it its one spelling: see [CanonicalURL]. For URLs in the usual
// form it hashes the host on the way, as a polynomial in base modulo 2^32. [CodeOf] returns
// the code of its error.
func Locate(raw string, base uint32, u *Location) error {
	if len(raw) > MaxURL {
		return tooLong(len(raw))
	}
	if u.Hashed = settled(raw, base, u); u.Hashed {
		return nil
	}
	// A URL that the parser would keep unchanged need not be parsed. Parsing takes long for a
	// path of many segments.
	if *u = (Location{}); strict(raw, u) == nil && unchanged(raw, u) {
		return nil
	}
	*u = Location{}
	if _, rest, ok := strings.Cut(raw, "://"); ok && strings.IndexAny(rest+"/", "/\\?#") > maxAuthority {
		return noncanonical("the part of the URL before its path has more than %d bytes", maxAuthority)
	}
	parsed, err := ReadURL(raw)
	if err != nil {
		return noncanonical("the URL cannot be parsed: %s", strings.TrimPrefix(err.Error(), "Error: "))
	}
	if addr, err := netip.ParseAddr(parsed.Hostname()); err == nil && addr.Is4() && signed(raw) {
		return noncanonical("a number of the host has a sign")
	}
	return strict(parsed.Href(false), u)
}

// unchanged reports whether the URL Standard's parser would keep a URL that the profile
// accepts exactly as it is. The profile does not check for invalid Punycode, or for characters
// that are percent-encoded in a path, query, or fragment
// (https://url.spec.whatwg.org/#path-percent-encode-set).
func unchanged(raw string, u *Location) bool {
	whole, fragment, _ := strings.Cut(raw, "#")
	path, query, _ := strings.Cut(whole, "?")
	return !strings.Contains(u.Host, PunycodePrefix) &&
		!strings.ContainsAny(path, "\"<>^`{}") && !strings.ContainsAny(query, "\"'<>") && !strings.ContainsAny(fragment, "\"<>`")
}

// ReadURL parses a URL as a browser parses what a page wrote.
func ReadURL(raw string) (*whatwg.Url, error) { return urlParser.Parse(raw) }

// urlParser is a parser of the URL Standard. The library would accept more than two brackets
// around an IPv6 address. The function replaces such a host with a single bracket, which the
// library rejects.
var urlParser = whatwg.NewParser(whatwg.WithPreParseHostFunc(func(_ *whatwg.Url, host string) string {
	if strings.HasPrefix(host, "[") && strings.Count(host, "[")+strings.Count(host, "]") != 2 {
		return "["
	}
	return host
}))

// signed reports whether a number in the URL's IPv4 address has a sign. The parser accepts a
// sign there, and browsers do not.
func signed(raw string) bool {
	u, err := named.Parse(raw)
	return err != nil || strings.ContainsAny(u.Hostname(), "+-")
}

// named is a parser that treats every host as a name and never as an address.
var named = whatwg.NewParser(whatwg.WithPreParseHostFunc(func(_ *whatwg.Url, host string) string { return host + ".name" }))

func tooLong(n int) error {
	return &urlError{CodeTooLong, fmt.Sprintf("the URL has %d bytes; up to %d are judged", n, MaxURL)}
}

// strict applies the profile to a URL that a parser of the URL Standard has serialized.
// sw/src/url.ts is the same function. The shared vectors keep the two in step.
func strict(serialized string, u *Location) error {
	if len(serialized) > MaxURL {
		return tooLong(len(serialized))
	}
	for i := range len(serialized) {
		if c := serialized[i]; c <= ' ' || c > '~' {
			return noncanonical("the URL holds the byte 0x%02X", c)
		}
	}
	whole, _, _ := strings.Cut(serialized, "#")
	scheme, rest, ok := strings.Cut(whole, "://")
	if !ok || DefaultPort(scheme) == 0 {
		return &urlError{CodeUnsupportedScheme, "only http, https, ws and wss URLs can be allowed"}
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 || rest[end] != '/' {
		return noncanonical("the URL has no path")
	}
	authority, path := rest[:end], rest[end:]
	path, query, asked := strings.Cut(path, "?")
	if strings.Contains(authority, "@") {
		return noncanonical("the URL holds a user name or password")
	}
	host, port, err := portOf(authority, DefaultPort(scheme))
	if err != nil {
		return err
	}
	if err := checkHost(host); err != nil {
		return err
	}
	if path, err = CanonicalPath(path); err != nil {
		return noncanonical("the path holds %v", err)
	}
	text := scheme + "://" + authority + path
	if asked {
		text += "?" + query
	}
	*u = Location{Scheme: slices.Index(Schemes[:], scheme), Host: host, Path: path, Port: port, Text: text}
	return nil
}

// portOf splits an authority into host and port. A browser writes a port in plain decimal, and
// omits the scheme's default port. Port 0 reaches nothing and means "any" in a rule.
func portOf(authority string, standard int) (host string, port int, _ error) {
	colon := strings.LastIndexByte(authority, ':')
	if colon < strings.LastIndexByte(authority, ']') {
		colon = -1
	}
	if colon < 0 {
		return authority, standard, nil
	}
	text := authority[colon+1:]
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 || port == standard || strconv.Itoa(port) != text {
		return "", 0, noncanonical("the port %q", text)
	}
	return authority[:colon], port, nil
}

func checkHost(host string) error {
	if len(host) > MaxHost {
		return noncanonical("the host has %d bytes; a name has up to %d", len(host), MaxHost)
	}
	if strings.HasPrefix(host, "[") {
		return checkIPv6(host)
	}
	for at := 0; at <= len(host); {
		end := len(host)
		if dot := strings.IndexByte(host[at:], '.'); dot >= 0 {
			end = at + dot
		}
		label := host[at:end]
		switch {
		case label == "" && end == len(host) && at > 0:
			return noncanonical("the host ends in a dot")
		case label == "":
			return noncanonical("the host has an empty label")
		case label[0] == '-' || label[len(label)-1] == '-':
			return noncanonical("a label of the host begins or ends with a hyphen")
		}
		for i := range len(label) {
			if c := label[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return noncanonical("the host holds the character %q", c)
			}
		}
		at = end + 1
	}
	if strings.Contains(host, "_") && strings.Contains("."+host, ".xn--") {
		return noncanonical("the host has an underscore and an internationalized label, which not every parser takes")
	}
	if last := host[strings.LastIndexByte(host, '.')+1:]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		if addr, err := netip.ParseAddr(host); err != nil || addr.String() != host {
			return noncanonical("the host ends in a number but is no IPv4 address")
		}
	}
	return nil
}

// checkIPv6 rejects an IPv4 address written as IPv6, because a rule about one spelling would
// not match the other.
func checkIPv6(host string) error {
	addr, err := netip.ParseAddr(strings.TrimSuffix(host[1:], "]"))
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return noncanonical("the host is no IPv6 address")
	}
	if addr.Is4In6() {
		return noncanonical("the host is the IPv4 address %s written as IPv6", addr.Unmap())
	}
	if "["+addr.String()+"]" != host {
		return noncanonical("the IPv6 address is not in its shortest form")
	}
	return nil
}

// Private reports whether the canonical host is a literal address that no
// public network routes: RFC 1918, 4193, 6598, loopback, link-local, and the
// unspecified address, which reaches this machine.
func Private(host string) bool {
	if last := host[len(host)-1]; last != ']' && (last < '0' || last > '9') {
		return false // not an address
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() || addr.IsUnspecified() ||
		sharedAddresses.Contains(addr) || thisNetwork.Contains(addr))
}

var (
	sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")
	thisNetwork     = netip.MustParsePrefix("0.0.0.0/8")
)

// CodeOf returns the code of an error from [Locate].
func CodeOf(err error) Code {
	if u, ok := errors.AsType[*urlError](err); ok {
		return u.code
	}
	return CodeNoncanonical
}
