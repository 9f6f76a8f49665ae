package firewall

// A Baseline is what an inner document may load without a rule, by CSP directive. A directive
// that is not in it is 'none' until a rule opens something. Only sources of the document
// itself belong here ('self', data:, blob:, 'unsafe-inline') and, for base-uri, origins.
type Baseline map[string][]string

// OwnFiles is the usual baseline: a document loads the files of its sandbox, and URLs that it
// makes itself. Inline styles are always allowed. The sandbox wrote the document as well as
// its style sheets, and the other directives limit what a style can load.
func OwnFiles() Baseline {
	self := []string{"'self'"}
	return Baseline{
		"default-src":  self,
		"script-src":   self,
		"style-src":    {"'self'", "'unsafe-inline'"},
		"img-src":      {"'self'", "data:", "blob:"},
		"font-src":     {"'self'", "data:"},
		"media-src":    {"'self'", "data:", "blob:"},
		"connect-src":  {"'self'", "data:", "blob:"},
		"worker-src":   self,
		"frame-src":    self,
		"manifest-src": self,
		"base-uri":     self,
		"form-action":  self,
	}
}

// MCPApp is the restrictive default of the MCP Apps specification (2026-01-26, "Host
// behavior"). It is narrower for forms and workers, which the specification does not mention.
// baseURI are the origins of baseUriDomains.
func MCPApp(baseURI []string) Baseline {
	b := Baseline{
		"script-src": {"'self'"}, // 'unsafe-inline' comes with the policy's scripts
		"style-src":  {"'self'", "'unsafe-inline'"},
		"img-src":    {"'self'", "data:"},
		"media-src":  {"'self'", "data:"},
		"worker-src": {"'self'"},
		"base-uri":   baseURI,
	}
	if len(baseURI) == 0 {
		b["base-uri"] = []string{"'self'"}
	}
	return b
}

func (s Site) baseline() Baseline {
	if s.Baseline == nil {
		return OwnFiles()
	}
	return s.Baseline
}
