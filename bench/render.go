package main

import (
	"fmt"
	"strconv"
	"strings"
)

// pattern returns the rule's pattern in our language.
func (r rule) pattern() string {
	port := ""
	switch {
	case r.port == anyPort:
		port = ":*"
	case r.port != 0:
		port = ":" + strconv.Itoa(r.port)
	}
	return r.scheme + "://" + r.host + port + r.path
}

// yaml returns the rules as a policy.
func yaml(rules []rule) []byte {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for i, r := range rules {
		if r.allow {
			fmt.Fprintf(&b, "- {id: r%d, allow: %s, types: [fetch]}\n", i, r.pattern())
		} else {
			fmt.Fprintf(&b, "- {id: r%d, block: %s}\n", i, r.pattern())
		}
	}
	return []byte(b.String())
}

// adblock returns the rules in the language of ad blockers, as closely as it can
// express them: "||" anchors a host, and "^" ends a host or a path.
func adblock(rules []rule) string {
	var b strings.Builder
	for _, r := range rules {
		if r.allow {
			b.WriteString("@@")
		}
		b.WriteString("||" + strings.TrimPrefix(r.host, "*."))
		if r.port > 0 {
			b.WriteString(":" + strconv.Itoa(r.port))
		}
		if directory, ok := strings.CutSuffix(r.path, "/**"); ok {
			b.WriteString(directory + "/\n")
		} else {
			b.WriteString(r.path + "^\n")
		}
	}
	return b.String()
}
