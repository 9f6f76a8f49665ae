package firewall

import (
	"strings"

	"github.com/bellglass/bellglass/rules"
)

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

// sandboxFlags are those that the view's frame and every inner response have. Without
// allow-popups and allow-top-navigation a page can neither open a tab nor move the
// host page.
const sandboxFlags = "allow-scripts allow-same-origin allow-forms"

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
	from := f.Policy().Browser().Directives
	policy := csp{
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
	}
	// A report-to beside it would turn it off in Chromium and Firefox.
	if s.Reports != "" {
		policy = append(policy, cspDirective{"report-uri", []string{s.Reports}})
	}
	return append(policy, cspDirective{"sandbox", []string{s.Grants.Sandbox()}})
}

// workerCSP is the policy on the worker's script, which also stops a redirect
// before its second hop.
func (f *Firewall) workerCSP() csp {
	return csp{{"default-src", []string{"'none'"}}, {"connect-src", append([]string{"'self'"}, f.Policy().Browser().Worker...)}}
}
