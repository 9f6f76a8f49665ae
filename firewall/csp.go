package firewall

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// directive is the CSP fetch directive that governs a request type in a document.
var directive = map[rules.Type]string{
	rules.TypeFetch:     "connect-src",
	rules.TypeWebSocket: "connect-src",
	rules.TypeScript:    "script-src",
	rules.TypeStyle:     "style-src",
	rules.TypeImage:     "img-src",
	rules.TypeFont:      "font-src",
	rules.TypeMedia:     "media-src",
	rules.TypeFrame:     "frame-src",
	rules.TypeWorker:    "worker-src",
}

// A csp is a Content Security Policy: directives in the order they are sent.
type csp []cspDirective

type cspDirective struct {
	name    string
	sources []string
}

func (c csp) String() string {
	parts := make([]string, 0, len(c))
	for _, d := range c {
		parts = append(parts, strings.Join(append([]string{d.name}, d.sources...), " "))
	}
	return strings.Join(parts, "; ")
}

// sandboxFlags is both the outer frame's iframe attribute and the directive on
// every inner response. Without allow-popups and allow-top-navigation a page
// can neither open a tab nor move the host page.
const sandboxFlags = "allow-scripts allow-same-origin allow-forms"

// SandboxFlags returns the value of the sandbox attribute that the outer frame
// puts on the view's iframe: the same flags that every inner response carries.
func SandboxFlags() string { return sandboxFlags }

// innerCSP is the policy of an inner document. Inline styles are always
// allowed: the sandbox wrote the document as well as its style sheets, and what
// a style can load is bound by the other directives. Scripts are broadened by
// name. worker-src never holds data:, because in WebKit a SharedWorker made
// from a data: URL has no policy at all and no worker sees it.
func (f *Firewall) innerCSP(s Site) csp {
	script, worker, frame := []string{"'self'"}, []string{"'self'"}, []string{"'self'"}
	for _, name := range f.Policy().Scripts {
		switch name {
		case rules.ScriptInline:
			script = append(script, "'unsafe-inline'")
		case rules.ScriptEval:
			script = append(script, "'unsafe-eval'")
		case rules.ScriptWasm:
			script = append(script, "'wasm-unsafe-eval'")
		case rules.ScriptBlob:
			script, worker, frame = append(script, "blob:"), append(worker, "blob:"), append(frame, "blob:")
		}
	}
	from := f.sources()
	return csp{
		{"default-src", []string{"'self'"}},
		{"script-src", append(script, from["script-src"]...)},
		{"style-src", append([]string{"'self'", "'unsafe-inline'"}, from["style-src"]...)},
		{"img-src", append([]string{"'self'", "data:", "blob:"}, from["img-src"]...)},
		{"font-src", append([]string{"'self'", "data:"}, from["font-src"]...)},
		{"media-src", append([]string{"'self'", "data:", "blob:"}, from["media-src"]...)},
		{"connect-src", append([]string{"'self'", "data:", "blob:"}, from["connect-src"]...)},
		{"worker-src", append(worker, from["worker-src"]...)},
		{"frame-src", append(frame, from["frame-src"]...)},
		{"manifest-src", []string{"'self'"}},
		{"object-src", []string{"'none'"}},
		{"base-uri", []string{"'self'"}},
		{"form-action", []string{"'self'"}},
		{"frame-ancestors", s.innerAncestors()},
		{"sandbox", []string{sandboxFlags}},
	}
}

// workerCSP is the policy on the worker's script. The worker's own fetches obey
// this policy and not the page's, and of it only connect-src, whatever the
// request's destination is; it also stops a redirect before its second hop.
func (f *Firewall) workerCSP() csp {
	connect := []string{"'self'"}
	for _, name := range []string{"connect-src", "script-src", "style-src", "img-src", "font-src", "media-src", "worker-src"} {
		for _, source := range f.sources()[name] {
			if !slices.Contains(connect, source) && !strings.HasPrefix(source, "ws") {
				connect = append(connect, source)
			}
		}
	}
	return csp{{"default-src", []string{"'none'"}}, {"connect-src", connect}}
}

// sources maps each fetch directive to the sources that the policy's allow
// rules open there. Block rules and exceptions take nothing away: a source can
// only be wider than its rule, and the worker decides within it.
func (f *Firewall) sources() map[string][]string {
	from := map[string][]string{}
	for _, rule := range f.allowRules() {
		for _, t := range rules.Types {
			if !rule.Covers(t) {
				continue
			}
			for _, pattern := range rule.Patterns {
				for _, target := range pattern.Targets {
					if isWebSocket(target) != (t == rules.TypeWebSocket) {
						continue
					}
					if source := cspSource(target); !slices.Contains(from[directive[t]], source) {
						from[directive[t]] = append(from[directive[t]], source)
					}
				}
			}
		}
	}
	return from
}

func (f *Firewall) allowRules() []*rules.Rule {
	var allow []*rules.Rule
	for i := range f.Policy().Rules {
		if r := &f.Policy().Rules[i]; r.Action == rules.Allow {
			allow = append(allow, r)
		}
	}
	return allow
}

func isWebSocket(t rules.Target) bool { return t.Scheme == "ws" || t.Scheme == "wss" }

// cspSource is the narrowest CSP source that covers the target (CSP Level 3,
// section 2.3.1). CSP knows a whole host or "*." before one, and a path that is
// exact or, with a final slash, a prefix; what a pattern says beyond that is
// left out, which widens. The characters that would end a source or a directive
// are encoded, so that a pattern can never add one.
func cspSource(t rules.Target) string {
	var b strings.Builder
	b.WriteString(t.Scheme + "://" + cspHost(t.Host))
	switch {
	case t.Port == 0:
		b.WriteString(":*")
	case t.Port != defaultPort[t.Scheme]:
		b.WriteString(":" + strconv.Itoa(t.Port))
	}
	b.WriteString(strings.NewReplacer(";", "%3B", ",", "%2C").Replace(cspPath(t.Path)))
	return b.String()
}

var defaultPort = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443}

// cspHost widens a label with a star, and one with an underscore (which
// Chromium takes for an invalid source and drops), to "*." before what follows.
func cspHost(h rules.Host) string {
	from, sub := 0, h.Sub
	for i, label := range h.Labels {
		if label.Star || strings.Contains(label.Prefix, "_") {
			from, sub = i+1, true
		}
	}
	labels := make([]string, 0, len(h.Labels))
	for _, label := range h.Labels[from:] {
		labels = append(labels, label.Prefix)
	}
	host := strings.Join(labels, ".")
	if sub {
		host = "*." + host
	}
	return host
}

// cspPath is the exact path where the pattern is literal, and else its longest
// literal directory. The path "/" alone would match every path, as none does,
// and one that begins with two slashes is none in CSP's grammar, so that browsers
// would drop the source.
func cspPath(path []rules.Segment) string {
	literal := make([]string, 0, len(path))
	for _, segment := range path {
		if segment.Any || segment.Star {
			literal = append(literal, "")
			break
		}
		literal = append(literal, segment.Prefix)
	}
	text := "/" + strings.Join(literal, "/")
	if text == "/" || strings.HasPrefix(text, "//") {
		return ""
	}
	return text
}
