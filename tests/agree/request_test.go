package agree

import (
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// drawRequest draws a request near the rules. Most match a rule with a small change, and some
// are what hostile page code would try.
func drawRequest(d *dice, p *policy) rules.Request {
	var all []*rule
	for _, l := range p.layers {
		all = append(all, l.rules...)
	}
	if len(all) == 0 || d.seldom(16) {
		r := rules.Request{Method: pick(d, rules.Methods...), URL: pick(d, foreign...), Type: pick(d, rules.Types...)}
		if strings.HasPrefix(r.URL, "ws") {
			r.Type = rules.TypeWebSocket
		}
		return r
	}
	rule := all[d.n(len(all))]
	from := pick(d, rule.patterns...)
	if len(rule.except) > 0 && d.n(2) == 0 {
		from = pick(d, rule.except...)
	}
	u := drawURL(d, from)
	for range pick(d, 0, 0, 0, 1, 1, 1, 2, 3) {
		u.mutate(d)
	}
	r := rules.Request{Method: "GET", URL: u.String(), Type: rules.TypeFetch}
	if len(rule.methods) > 0 {
		r.Method = pick(d, rule.methods...)
	}
	switch {
	case strings.HasPrefix(u.scheme, "ws"):
		r.Type = rules.TypeWebSocket
	case len(rule.types) > 0:
		r.Type = pick(d, rule.types...)
	}
	if d.seldom(8) {
		r.Method = pick(d, append([]string{"get", "PURGE", ""}, rules.Methods...)...)
	}
	if d.seldom(8) {
		r.Type = pick(d, append([]rules.Type{"", "manifest"}, rules.Types...)...)
	}
	return r
}

var foreign = []string{
	"https://example.net/", "http://192.0.2.1/x", "http://[::1]/", "http://[fe80::1]/", "http://[fd00::1]:8080/", "http://[2001:db8::2]/a", "http://[::ffff:7f00:1]/", "http://127.1/",
	"http://0x7f000001/", "http://169.254.169.254/latest", "http://100.64.0.1/", "http://100.128.0.1/", "http://172.31.0.1/", "http://172.32.0.1/", "http://0.0.0.0/", "wss://example.net/",
	"ws://10.0.0.7/", "https://a.b.evil.test/a", "https://xa.b/", "ftp://a.b/a", "data:text/plain,x", "blob:https://a.b/1", "//a.b/", "", "http://1.2.3.4.5/", "https://a..b/", "https://.a.b/", "https:a.b/a", "HTTPS:/\\a.b\\a",
	"http://example.com:0/", "http://a.b:65536/", "https://a.b:443/", "https://[::1", "http://-a.b/", "http://a-.b/", "https://a_b.xn--bcher-kva/",
}

// longHost is longer than a host that the program hashes while reading.
var longHost = "a." + strings.Repeat("ab", 130)

// A draft is the parts of a URL as a page writes it.
type draft struct{ scheme, user, host, port, path, tail string }

func (u *draft) String() string { return u.scheme + "://" + u.user + u.host + u.port + u.path + u.tail }

// drawURL builds a URL from one alternative of the pattern.
func drawURL(d *dice, p pattern) *draft {
	u := &draft{scheme: p.scheme, port: p.port}
	host := pick(d, p.host.globs()...)
	if after, below := strings.CutPrefix(strings.Replace(host, "**.", "*.", 1), "*."); below {
		host = pick(d, "a", "b", "ab", "1", "a.b", "b.a.ab", "xn--bcher-kva", "a.xn--bcher-kva.b", "x-y", "a_b", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a", longHost) + "." + after
	}
	u.host = fill(host, func() string { return pick(d, "", "a", "b", "ab", "n--bcher-kva", "-", "_", "x", "n--b") }, nil)
	if u.port == ":*" {
		u.port = pick(d, "", ":1", ":8080", ":65535")
	}
	if p.path == nil {
		u.path = pick(d, "", "/", "/a", "/a/b/c", "//", "/é[1]")
		return u
	}
	u.path = fill(pick(d, p.path.globs()...),
		func() string { return pick(d, "", "a", "b", "ab", "1.js", "-", "%41", "é", ".") },
		func() string {
			return pick(d, "", "a", "b", "a/b", "a//b", "a/", "/", "/a", "v1/a/b/b/a", "a/b/a/b/a/b/a/b")
		})
	if d.n(4) == 0 { // as a page may write it
		u.path = strings.NewReplacer("%5B", "[", "%5D", "]", "%5E", "^", "%7C", "|", "%60", "`", "%C3%A9", "é", "%7B", "{", "%7D", "}", "%20", " ").Replace(u.path)
	}
	return u
}

// fill replaces each star of an alternative.
func fill(glob string, star, stars func() string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch {
		case glob[i] == '\\':
			i++
			b.WriteByte(glob[i])
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(stars())
			i++
		case glob[i] == '*':
			b.WriteString(star())
		default:
			b.WriteByte(glob[i])
		}
	}
	return b.String()
}

// mutate changes one part of the URL.
func (u *draft) mutate(d *dice) {
	switch d.n(10) {
	case 0:
		u.scheme = pick(d, "https", "http", "wss", "ws", "HTTPS", "ftp")
	case 1:
		u.port = pick(d, "", ":443", ":80", ":8080", ":1", ":65535", ":08080", ":0", ":", ":99999")
	case 2, 3:
		u.mutateHost(d)
	case 4, 5, 6:
		u.mutatePath(d)
	case 7:
		u.spellPath(d)
	case 8:
		u.tail = pick(d, "?q=1", "?", "#f", "?a/b#c", "?q=%zz&'\"<>", "?/../a", "#/**", "?é")
	default:
		switch d.n(4) {
		case 0:
			u.user = pick(d, "u@", "u:p@", "@", "example.com@")
		case 1:
			u.path = u.path[:min(len(u.path), 1)] + strings.Repeat(pick(d, "a", "a/", "/", "%61", "b/a/", "é"), d.n(60)) + u.path[min(len(u.path), 1):]
		case 2: // close to the maximum length
			fill := max(longest-len(u.String())-4+d.n(9), 0)
			u.path += "/" + strings.Repeat(pick(d, "a", "a/", "ab/b/", "["), fill)[:fill]
		default:
			u.path = pick(d, "", "/a", "/") + pick(d, "/d/e/f/x", "/d/x.js", "//d//e", "/d/d/d/d/d/d")
		}
	}
}

func (u *draft) mutateHost(d *dice) {
	first, rest, more := strings.Cut(u.host, ".")
	switch d.n(12) {
	case 0, 1:
		u.host = pick(d, "a", "b", "x", "xn--bcher-kva", "api-1") + "." + u.host
	case 2, 3:
		if more {
			u.host = rest
		}
	case 4:
		if more {
			u.host = pick(d, "a", "b", "ab", "a", "abb", "xn--bcher-kva", "xn--b", "1", "ba") + "." + rest
		}
	case 5:
		u.host += pick(d, ".evil.test", ".a", ".b", ".", "..", "x")
	case 6:
		u.host = strings.ToUpper(u.host)
	case 7:
		u.host = strings.Replace(u.host, ".", pick(d, "。", "..", "%2e", "-", "%2E", "．"), 1)
	case 8:
		u.host = strings.Replace(u.host, "a", pick(d, "%61", "ａ", "\u00ad", "a\t", "á", "A", "%41"), 1)
	case 9:
		u.host = pick(d, "0x7f.1", "2130706433", "127.0.0.1", "127.0.0.2", "10.0.0.07", "10.0.0.8", "192.168.0.1", "8.8.8.8", "010.0.0.7", "+1.2.3.4", "[::1]", "[::ffff:10.0.0.7]", "[2001:DB8::1]", "[2001:db8:0:0:0:0:0:1]")
	case 10:
		u.host = first + pick(d, "-", "_", "é", "ß", "x", "b") + u.host[len(first):]
	default:
		u.host = pick(d, bases...)
	}
}

func (u *draft) mutatePath(d *dice) {
	cut := strings.LastIndexByte(u.path, '/')
	at := d.n(len(u.path)%256 + 1)
	switch d.n(8) {
	case 0, 1:
		u.path += pick(d, "/", "/a", "/b/a", "x", ".js", "//", "/%20")
	case 2:
		u.path = u.path[:max(cut, 0)]
	case 3:
		u.path = u.path[:max(cut, 0)] + "/" + pick(d, "a", "b", "ab", "x", "", "A", "**", "*", "z.js")
	case 4:
		u.path = u.path[:at] + pick(d, "/", "//", "/a/", "/./", "/../", "/%2e%2E/", "/.", "..", "\\") + u.path[at:]
	case 5:
		u.path = u.path[:at] + pick(d, "%2f", "%5C", "%00", "%", "%zz", "%c3", "%FF", "\x00", "\n") + u.path[at:]
	case 6:
		u.path = strings.ToUpper(u.path)
	default:
		u.path = u.path[:at] + pick(d, "a", "b", "*", "é", "|", "[", "\"", ".", "~", "☂", "'", ";", "{") + u.path[at:]
	}
	u.path = strings.ToValidUTF8(u.path, "") // JSON has only valid UTF-8
}

// spellPath percent-encodes a few characters of the path without need.
func (u *draft) spellPath(d *dice) {
	var b strings.Builder
	for i := 0; i < len(u.path); i++ {
		c := u.path[i]
		switch {
		case c == '%' && i+2 < len(u.path):
			b.WriteString(pick(d, u.path[i:i+3], strings.ToLower(u.path[i:i+3])))
			i += 2
		case i < 40 && c > ' ' && c <= '~' && c != '/' && c != '%' && d.n(3) == 0:
			b.WriteString(fmt.Sprintf(pick(d, "%%%02X", "%%%02x"), c))
		default:
			b.WriteByte(c)
		}
	}
	u.path = b.String()
}
