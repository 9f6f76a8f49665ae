package rules

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// compileIPv6 reads "[address]" and gives it the spelling that browsers use.
func compileIPv6(text string, base int) ([]Host, *patternError) {
	inside, after, ok := strings.Cut(text[1:], "]")
	switch {
	case !ok:
		return nil, &patternError{base, "a [ without its ]", "only an IPv6 address stands in brackets, [::1]"}
	case !strings.Contains(inside, ":") && after != "":
		return nil, &patternError{base, "brackets in a host; a character class is not part of this language", "write alternatives in braces, {a,b}; only an IPv6 address stands in brackets"}
	case after != "":
		return nil, &patternError{base + len(text) - len(after), "the host goes on after the ] of an IPv6 address", "write nothing but a port or a path after it"}
	}
	addr, err := netip.ParseAddr(inside)
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return nil, &patternError{base, fmt.Sprintf("%s is no IPv6 address", text), "only an IPv6 address without a zone stands in brackets; a character class is not part of this language"}
	}
	if addr.Is4In6() {
		return nil, &patternError{base, "an IPv4 address written as IPv6; a request to it is always blocked", "write " + addr.Unmap().String()}
	}
	return []Host{{Labels: []Part{{Prefix: "[" + addr.String() + "]"}}}}, nil
}

// isNumber reports whether a host with this last label is an IPv4 address
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func isNumber(last Part) bool {
	text := last.Prefix + last.Suffix
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// checkIPv4 accepts only the canonical spelling of an address. Readers take other spellings
// for something else.
func checkIPv4(host Host, off int) *patternError {
	text := rule.JoinLiteral(host.Labels)
	if host.Sub || text == "" {
		return &patternError{off, "a star in an IP address", "name each address, or use braces: 10.0.0.{1,2}"}
	}
	addr, ok := parseIPv4(text)
	if !ok {
		return &patternError{off, fmt.Sprintf("%s ends in a number but is no IPv4 address", text), "a host name's last label is no number"}
	}
	if addr.String() != text {
		return &patternError{off, fmt.Sprintf("another spelling of the IPv4 address %s", addr), "write " + addr.String()}
	}
	return nil
}

// parseIPv4 reads an address as browsers do: up to four numbers in decimal, octal, or
// hexadecimal. The last number fills all remaining bytes
// (https://url.spec.whatwg.org/#concept-ipv4-parser).
func parseIPv4(text string) (netip.Addr, bool) {
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		digits, base := part, 10
		if hex, ok := strings.CutPrefix(part, "0x"); ok {
			digits, base = "0"+hex, 16
		} else if len(part) > 1 && part[0] == '0' {
			base = 8
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			value |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return netip.Addr{}, false
		}
		value |= n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}
