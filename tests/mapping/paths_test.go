package mapping

import "strings"

const (
	noStars    = "CSP has no stars in paths: its source ends with the last literal directory"
	starSlash  = "a star of Connection-Allowlist crosses slashes, and CSP has none in paths"
	noDecoding = "Connection-Allowlist decodes nothing, so it refuses other spellings of an allowed path"
)

// pathMappings are the rows about paths.
var pathMappings = []mapping{
	{
		name: "no path", rules: "- allow: https://api.example.test",
		pass:    []string{"https://api.example.test", "https://api.example.test/p/q;r,s", "https://api.example.test/%2a%2A", "https://api.example.test/%E0%A4%A"[:len("https://api.example.test/%E0%A4")]},
		blocked: []string{"https://b.example.test/p"},
	},
	{
		name: "all paths", rules: "- allow: https://api.example.test/**",
		pass:    []string{"https://api.example.test/", "https://api.example.test/p/q"},
		blocked: []string{"https://b.example.test/p"},
	},
	{
		name: "below a directory", rules: "- allow: https://api.example.test/p/**",
		pass:    []string{"https://api.example.test/p/", "https://api.example.test/p/q", "https://api.example.test/p/q/r?s=/t", "https://api.example.test/p//x", "https://api.example.test/x/../p/y"},
		blocked: []string{"https://api.example.test/p", "https://api.example.test/", "https://api.example.test/pq", "https://api.example.test/P/q", "https://api.example.test/x/p/q", "https://api.example.test/p/../q", "https://api.example.test/p/%2e%2e/r", "https://api.example.test/q?/p/", "https://api.example.test//p/q"},
	},
	{
		name: "literal path", rules: "- allow: https://api.example.test/p",
		pass:    []string{"https://api.example.test/p", "https://api.example.test/p?q=1", "https://api.example.test/x/../p?r"},
		blocked: []string{"https://api.example.test/p/", "https://api.example.test/", "https://api.example.test/P", "https://api.example.test/p/q", "https://api.example.test/pq", "https://api.example.test/p;q"},
	},
	{
		name: "literal deep path", rules: "- allow: https://api.example.test/p/q.r/s",
		pass:    []string{"https://api.example.test/p/q.r/s"},
		blocked: []string{"https://api.example.test/p/q.r/", "https://api.example.test/p/qxr/s", "https://api.example.test/p/q.r/s/"},
	},
	{
		name: "slash alone", rules: "- allow: https://api.example.test/",
		pass:    []string{"https://api.example.test/", "https://api.example.test/?q"},
		onlyCSP: []string{"https://api.example.test/p"}, why: "the CSP path / covers every path",
		blocked: []string{"https://b.example.test/"},
	},
	{
		name: "final slash", rules: "- allow: https://api.example.test/p/",
		pass:    []string{"https://api.example.test/p/"},
		onlyCSP: []string{"https://api.example.test/p/q"}, why: "a CSP path with a final slash covers all below it",
		blocked: []string{"https://api.example.test/p", "https://api.example.test/q/"},
	},
	{
		name: "two slashes", rules: "- allow: https://api.example.test//p",
		pass:    []string{"https://api.example.test//p"},
		onlyCSP: []string{"https://api.example.test/p", "https://api.example.test/"}, why: "CSP drops a source whose path begins with two slashes",
		blocked: []string{"https://b.example.test//p"},
	},
	{
		name: "star segment", rules: "- allow: https://api.example.test/p/*",
		pass:  []string{"https://api.example.test/p/q", "https://api.example.test/p/"},
		wider: []string{"https://api.example.test/p/q/r"}, why: starSlash,
		blocked: []string{"https://api.example.test/p", "https://api.example.test/q/p"},
	},
	{
		name: "star at the end of a segment", rules: "- allow: https://api.example.test/p*",
		pass:    []string{"https://api.example.test/p", "https://api.example.test/pq"},
		wider:   []string{"https://api.example.test/p/q"},
		onlyCSP: []string{"https://api.example.test/q", "https://api.example.test/"}, why: starSlash,
		blocked: []string{"https://b.example.test/p"},
	},
	{
		name: "star and more", rules: "- allow: https://api.example.test/p/*/x.js",
		pass:    []string{"https://api.example.test/p/q/x.js", "https://api.example.test/p//x.js"},
		wider:   []string{"https://api.example.test/p/q/r/x.js"},
		onlyCSP: []string{"https://api.example.test/p/q/y.js", "https://api.example.test/p/x.js"}, why: starSlash,
		blocked: []string{"https://api.example.test/q/p/x.js"},
	},
	{
		name: "star in a name", rules: "- allow: https://api.example.test/p/lib-*.min.js",
		pass:    []string{"https://api.example.test/p/lib-1.min.js", "https://api.example.test/p/lib-.min.js"},
		wider:   []string{"https://api.example.test/p/lib-1/2.min.js"},
		onlyCSP: []string{"https://api.example.test/p/lib-1.js"}, why: starSlash,
		blocked: []string{"https://api.example.test/lib-1.min.js"},
	},
	{
		name: "any depth and a name", rules: "- allow: 'https://api.example.test/**/*.js'",
		pass:    []string{"https://api.example.test/p/x.js", "https://api.example.test/p/q/x.js", "https://api.example.test/p/.js"},
		onlyCSP: []string{"https://api.example.test/x.js", "https://api.example.test/p/x.css", "https://api.example.test/p/x.js/y"}, why: noStars,
		blocked: []string{"https://b.example.test/p/x.js"},
	},
	{
		name: "any depth in the middle", rules: "- allow: 'https://api.example.test/a/**/z'",
		pass:    []string{"https://api.example.test/a/b/z", "https://api.example.test/a/b/c/z", "https://api.example.test/a//z"},
		onlyCSP: []string{"https://api.example.test/a/z", "https://api.example.test/a/b"}, why: noStars,
		blocked: []string{"https://api.example.test/b/a/z"},
	},
	{
		name: "star directly below the host", rules: "- allow: 'https://api.example.test/*/p/**'",
		pass:    []string{"https://api.example.test/x/p/y", "https://api.example.test//p/"},
		wider:   []string{"https://api.example.test/x/y/p/z"},
		onlyCSP: []string{"https://api.example.test/x/q"}, why: starSlash,
		blocked: []string{"https://b.example.test/x/p/y"},
	},
	{
		name: "braces in a path", rules: "- allow: 'https://{api,www}.example.test/{v1,v2/x}/**'",
		pass:    []string{"https://api.example.test/v1/a", "https://www.example.test/v2/x/b"},
		blocked: []string{"https://api.example.test/v2/y", "https://example.test/v1/a", "https://www.example.test/v3/c"},
	},
	{
		name: "port, subdomains and path", rules: "- allow: 'https://*.example.test:8443/v1/**'",
		pass:    []string{"https://a.b.example.test:8443/v1/x"},
		blocked: []string{"https://a.example.test/v1/x", "https://a.example.test:8443/v2/x", "https://example.test:8443/v1/x"},
	},
	{
		name: "query", rules: "- allow: https://api.example.test/search",
		pass:    []string{"https://api.example.test/search?q=1", "https://api.example.test/search?q=2&/r#f", "https://api.example.test/search?"},
		blocked: []string{"https://api.example.test/find?q=1", "https://api.example.test/find?/search"},
	},
	{name: "query in a rule", rules: "- allow: 'https://api.example.test/search?q=1'", refused: "a query (?…) in the pattern"},
	{name: "two stars in a segment", rules: "- allow: 'https://api.example.test/*a*'", refused: "a second * in the same segment"},
	{name: "two stars beside text", rules: "- allow: 'https://api.example.test/**.js'", refused: "a ** where it does not stand for whole segments"},
	{
		name: "letters of other scripts", rules: "- allow: ['https://api.example.test/café', 'https://api.example.test/na%c3%afve/**']",
		pass:     []string{"https://api.example.test/café", "https://api.example.test/caf%C3%A9?encoded", "https://api.example.test/naïve/x"},
		narrower: []string{"https://api.example.test/caf%c3%a9", "https://api.example.test/na%c3%afve/y"}, why: noDecoding,
		blocked: []string{"https://api.example.test/cafe", "https://api.example.test/CAFÉ"},
	},
	{
		name: "needless encoding", rules: "- allow: [https://api.example.test/abc, https://api.example.test/@scope/**]",
		pass:     []string{"https://api.example.test/abc", "https://api.example.test/@scope/x"},
		narrower: []string{"https://api.example.test/%61bc", "https://api.example.test/%40scope/x"}, why: noDecoding,
		blocked: []string{"https://api.example.test/%62bc"},
	},
	{
		name: "needless encoding below a directory", rules: "- allow: https://api.example.test/p/**",
		pass:     []string{"https://api.example.test/p/%61%40"},
		narrower: []string{"https://api.example.test/%70/q"}, why: noDecoding,
		blocked: []string{"https://api.example.test/%71/q"},
	},
	{
		name: "encoding that a browser adds", rules: "- allow: ['https://api.example.test/a%20b', 'https://api.example.test/%7Bx%7D', 'https://api.example.test/%22%3C%3E%60', 'https://api.example.test/100%25']",
		pass:    []string{"https://api.example.test/a b", "https://api.example.test/a%20b?encoded", "https://api.example.test/{x}", "https://api.example.test/\"<>`", "https://api.example.test/100%25"},
		blocked: []string{"https://api.example.test/a+b", "https://api.example.test/ab", "https://api.example.test/x", "https://api.example.test/100"},
	},
	{
		name: "raw or encoded", rules: "- allow: ['https://api.example.test/x%5B1%5D', 'https://api.example.test/p/%7C/y', 'https://api.example.test/q%5E']",
		pass:          []string{"https://api.example.test/x[1]", "https://api.example.test/x%5B1%5D?encoded", "https://api.example.test/p/|/y", "https://api.example.test/p/%7C/y?encoded", "https://api.example.test/q^"},
		onlyAllowlist: []string{"https://api.example.test/x1", "https://api.example.test/p/q/y"}, why: "a browser sends [ ] ^ | as the page wrote them, so Connection-Allowlist has a star in their place",
		blocked: []string{"https://b.example.test/x[1]"},
	},
	{
		name: "semicolon and comma", rules: "- allow: ['https://api.example.test/a;b,c', 'https://api.example.test/d;e/**']",
		pass:    []string{"https://api.example.test/a;b,c", "https://api.example.test/d;e/f,g"},
		blocked: []string{"https://api.example.test/a", "https://api.example.test/a;b", "https://api.example.test/b,c", "https://api.example.test/d/f"},
	},
	{
		name: "marks", rules: "- allow: [\"https://api.example.test/a:b+c(d)!$&'=~-._@\", 'https://api.example.test/p:q/**', 'https://api.example.test/x+']",
		pass:    []string{"https://api.example.test/a:b+c(d)!$&'=~-._@", "https://api.example.test/p:q/r", "https://api.example.test/x+"},
		blocked: []string{"https://api.example.test/a", "https://api.example.test/ab", "https://api.example.test/pxx/r", "https://api.example.test/xx"},
	},
	{
		name: "star as a character", rules: "- allow: ['https://api.example.test/a%2Ab', 'https://api.example.test/p%2A/**']",
		pass:    []string{"https://api.example.test/a*b", "https://api.example.test/p*/q"},
		blocked: []string{"https://api.example.test/axb", "https://api.example.test/ab", "https://api.example.test/px/q"},
	},
	{
		name: "encoded slash", rules: "- allow: [https://api.example.test/p/**, https://api.example.test/q/r]",
		pass:    []string{"https://api.example.test/p/x", "https://api.example.test/q/r"},
		wider:   []string{"https://api.example.test/p/x%2Fy"},
		onlyCSP: []string{"https://api.example.test/p%2Fx", "https://api.example.test/q%2Fr"}, why: "CSP decodes an encoded slash, which no rule allows",
		blocked: []string{"https://api.example.test/r%2Fp"}, spelling: true, unexplained: true,
	},
	{name: "encoded slash in a rule", rules: "- allow: https://api.example.test/p%2Fx", refused: "an encoded slash"},
	{
		name: "backslash", rules: "- allow: https://api.example.test/p/**",
		pass:    []string{`https://api.example.test/p\x`, `https://api.example.test\p\y`},
		blocked: []string{`https://api.example.test\q\x`},
	},
	{
		name: "dots", rules: "- allow: https://api.example.test/p/.../.x",
		pass:    []string{"https://api.example.test/p/.../.x", "https://api.example.test/./p/.../y/../.x?resolved"},
		blocked: []string{"https://api.example.test/p/.x", "https://api.example.test/p/abc/.x"},
	},
	{
		name: "case of a path", rules: "- allow: https://api.example.test/Docs/**",
		pass:    []string{"https://api.example.test/Docs/x"},
		blocked: []string{"https://api.example.test/docs/x", "https://api.example.test/DOCS/x"},
	},
	{
		name: "long path", rules: "- allow: https://api.example.test/" + strings.Repeat("p/", 100) + "**",
		pass:    []string{"https://api.example.test/" + strings.Repeat("p/", 100) + "x"},
		blocked: []string{"https://api.example.test/" + strings.Repeat("p/", 99) + "x"},
	},
}
