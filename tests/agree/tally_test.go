package agree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

const long = "headers that had to be shortened, or nearly"

// A tally counts the cases that occurred, by kind.
type tally map[string]int

func (sum tally) see(kind string) { sum[kind]++ }

// String lists the kinds in order.
func (sum tally) String() string {
	var lines []string
	for kind, n := range sum {
		lines = append(lines, fmt.Sprintf("%6d %s", n, kind))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[7:], b[7:]) })
	return strings.Join(lines, "\n")
}

// notice records what a request covers: the verdict, and which features the deciding rule's
// pattern has.
func (t *trial) notice(r rules.Request, f finding) {
	t.seen(fmt.Sprint("verdict ", f.Action, " ", f.Code))
	if f.spared {
		t.seen("an exception spares it")
	}
	if len(f.matches) > 1 {
		t.seen("several rules match")
	}
	if f.rule == nil {
		return
	}
	if f.Action == rules.Allow {
		t.seen("allowed " + string(r.Type))
	}
	if f.rule.file != t.drawn.layers[0].file {
		t.seen("rule of an included file")
	}
	if len(f.rule.methods) > 0 {
		t.seen("rule with methods")
	}
	if len(f.rule.types) > 0 {
		t.seen("rule with types")
	}
	if f.rule.id == "" {
		t.seen("rule without an id")
	}
	host, path := f.by.host.written(), f.by.path.written()
	for feature, has := range map[string]bool{
		"host below":        strings.HasPrefix(host, "*"),
		"host star inside":  strings.Contains(strings.TrimLeft(host, "*"), "*"),
		"host braces":       strings.Contains(host, "{"),
		"host punycode":     strings.Contains(host, "xn--") || strings.Contains(host, "ü"),
		"host underscore":   strings.Contains(host, "_"),
		"host address":      strings.HasSuffix(host, "7") || strings.HasSuffix(host, "1") || strings.HasSuffix(host, "8"),
		"port any":          f.by.port == ":*",
		"port":              len(f.by.port) > 2,
		"path none":         path == "",
		"path literal":      path != "" && !strings.ContainsAny(path, "*{"),
		"path braces":       strings.Contains(path, "{"),
		"path **":           strings.Contains(path, "**"),
		"path ** inside":    strings.Contains(path, "/**/"),
		"path *":            strings.Contains(strings.ReplaceAll(path, "**", ""), "*"),
		"path double slash": strings.Contains(path, "//"),
		"path encoded":      strings.Contains(path, "%"),
		"path encoded star": strings.Contains(strings.ToUpper(path), "%2A"),
		"path of a crowd":   strings.Contains(path, "/d/"),
		"host of a crowd":   strings.Contains(host, "node"),
	} {
		if has {
			t.seen(feature)
		}
	}
}

// check fails if cases that the draws must cover occurred too rarely, or cases that the
// comparison tolerates occurred too often.
func (sum tally) check(t *testing.T, requests int) {
	t.Helper()
	for _, want := range []struct {
		least int // minimum in a thousand requests
		kinds []string
	}{
		{100, []string{"verdict allow rule", "verdict block default", "verdict block noncanonical", "allowed fetch", "path none", "host below"}},
		{50, []string{"verdict block rule", "host star inside", "path *", "several rules match", "rule with types", "rule without an id"}},
		{20, []string{"path **", "path braces", "path encoded", "path literal", "port", "host braces", "host punycode", "rule with methods", "rule of an included file"}},
		{10, []string{"verdict block unsupported-type", "verdict block private-address", "port any", "allowed websocket", "allowed frame", "path double slash", "needless percent-encoding"}},
		{5, []string{"verdict allow audit", "verdict block ceiling", "verdict block unsupported-scheme", "verdict block too-long", "host address", "path ** inside", "path encoded star"}},
		{3, []string{"an exception spares it", "host underscore", "path of a crowd", "host of a crowd", "allowed script", "allowed style", "allowed image", "allowed font", "allowed media", "allowed worker"}},
	} {
		for _, kind := range want.kinds {
			if sum[kind]*1000 < want.least*requests {
				t.Errorf("%q came to pass %d times in %d requests; %d in 1000 are wanted, or the comparison shows little", kind, sum[kind], requests, want.least)
			}
		}
	}
	if sum[long]*50 < requests/requestsPerPolicy {
		t.Errorf("only %d policies have %s", sum[long], long)
	}
	for _, kind := range []string{"worker: parsers differ", "worker: dot segments", "worker: scheme first"} {
		if sum[kind]*100 > requests {
			t.Errorf("%q came to pass %d times in %d requests, which is more than an exception may", kind, sum[kind], requests)
		}
	}
	for _, code := range rules.Codes {
		action := rules.Block
		if code == rules.CodeAudit {
			action = rules.Allow
		}
		if kind := fmt.Sprint("verdict ", action, " ", code); sum[kind] == 0 && code != rules.CodeNoProgram { // this code has a test of its own
			t.Errorf("no request has the %s", kind)
		}
	}
}
