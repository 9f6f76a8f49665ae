package mapping

import (
	"fmt"
	"strings"
)

const (
	noTypes = "Connection-Allowlist knows no types"
	cspOnly = "Connection-Allowlist holds what goes over the network, and never what the page has already"
)

// ofEachType returns a request of each type to the host, except a frame, which costs the
// browser a process.
func ofEachType(host string) []string {
	var all []string
	for _, request := range []string{"GET /x", "script /x.js", "style /x.css", "image /x.png", "font /x.woff", "media /x.mp3", "worker /x.mjs"} {
		how, path, _ := strings.Cut(request, " ")
		all = append(all, how+" https://"+host+path)
	}
	return all
}

// typeMapping returns the row of a rule for one type.
func typeMapping(kind, how string) mapping {
	m := mapping{name: "type " + kind, rules: "- {allow: https://api.example.test, types: [" + kind + "]}", why: noTypes}
	for _, request := range ofEachType("api.example.test") {
		if strings.HasPrefix(request, how+" ") {
			m.pass = append(m.pass, request)
		} else {
			m.onlyAllowlist = append(m.onlyAllowlist, request)
		}
	}
	m.blocked = []string{how + " https://b.example.test/x.js"}
	return m
}

// manyPatterns returns more patterns than a header has room for.
func manyPatterns(format string) string {
	var b strings.Builder
	b.WriteString("- allow:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "    - "+format+"\n", i)
	}
	return b.String() + "  types: [fetch]\n"
}

// ruleMappings are the rows about whole rules and policies.
var ruleMappings = []mapping{
	{
		name: "all types", rules: "- allow: https://api.example.test",
		pass:          ofEachType("api.example.test"),
		onlyAllowlist: []string{"frame https://api.example.test/x.html"}, why: "an allow rule must name frame, and " + noTypes,
		blocked: ofEachType("b.example.test"),
	},
	typeMapping("fetch", "GET"),
	typeMapping("script", "script"),
	typeMapping("style", "style"),
	typeMapping("image", "image"),
	typeMapping("font", "font"),
	typeMapping("media", "media"),
	{
		name: "type frame", rules: "- {allow: https://api.example.test, types: [frame]}",
		pass:          []string{"frame https://api.example.test/x.html"},
		onlyAllowlist: ofEachType("api.example.test"), why: noTypes,
		blocked: []string{"frame https://b.example.test/x.html"},
	},
	typeMapping("worker", "worker"),
	{
		name: "types of two rules", rules: "- {allow: https://api.example.test/x.js, types: [script]}\n- {allow: 'https://*.example.test', types: [fetch]}",
		pass:          []string{"script https://api.example.test/x.js", "https://api.example.test/y", "https://b.example.test/x.js"},
		onlyAllowlist: []string{"script https://api.example.test/z.js", "script https://b.example.test/y.js"}, why: noTypes,
		blocked: []string{"https://example.test/"},
	},
	{
		name: "worker from elsewhere", rules: "- {allow: https://api.example.test, types: [worker]}",
		never: []string{"worker-direct https://api.example.test/x.js"},
	},
	{name: "frame for http alone", rules: "- {allow: http://api.example.test, types: [frame]}", refused: "http without https"},
	{
		name: "frame for http and https", rules: "- {allow: [http://api.example.test, https://api.example.test], types: [frame]}",
		pass:    []string{"frame http://api.example.test/x.html", "frame https://api.example.test/x.html"},
		blocked: []string{"frame http://b.example.test/x.html"},
	},
	{name: "frame with a star", rules: "- {allow: 'https://api.example.test/*/x', types: [frame]}", refused: "a * in a path"},
	{
		name: "methods", rules: "- {allow: https://api.example.test, methods: [GET]}",
		pass:  []string{"GET https://api.example.test/"},
		wider: []string{"HEAD https://api.example.test/", "POST https://api.example.test/", "PUT https://api.example.test/", "PATCH https://api.example.test/", "DELETE https://api.example.test/"}, why: "no header knows methods",
		blocked: []string{"POST https://b.example.test/"},
	},
	{name: "methods for a WebSocket", rules: "- {allow: wss://live.example.test, methods: [POST]}", refused: "methods in a rule for a WebSocket"},
	{
		name: "block below an allow", rules: "- allow: https://api.example.test\n- {block: https://api.example.test/admin/**, except: https://api.example.test/admin/status}",
		pass:  []string{"https://api.example.test/x", "https://api.example.test/admin/status"},
		wider: []string{"https://api.example.test/admin/users"}, why: "no header can take anything away",
		blocked: []string{"https://b.example.test/"},
	},
	{
		name: "block of one name", rules: "- allow: 'https://*.example.test'\n- block: https://private.example.test",
		pass:  []string{"https://api.example.test/"},
		wider: []string{"https://private.example.test/"}, why: "no header can take anything away",
	},
	{
		name: "block of a whole host", rules: "- allow: [https://api.example.test/x, https://b.example.test]\n- block: 'https://*.example.test'\n- allow: https://c.example.org",
		pass:    []string{"https://c.example.org/"},
		blocked: []string{"https://api.example.test/x", "https://b.example.test/"},
	},
	{
		name: "wide and narrow", rules: "- allow: https://api.example.test/v1/x\n- allow: https://api.example.test/v1/**\n- allow: ['https://*.b.example.test', https://a.b.example.test/x, https://a.b.example.test:8443/y]",
		pass:    []string{"https://api.example.test/v1/x", "https://api.example.test/v1/y", "https://a.b.example.test/x", "https://c.b.example.test/", "https://a.b.example.test:8443/y"},
		blocked: []string{"https://api.example.test/v2", "https://b.example.test/", "https://c.b.example.test:8443/y"},
	},
	{
		name: "star and literal of one source", rules: "- allow: ['https://api.example.test/p/*.js', https://api.example.test/p/q.css]",
		pass:    []string{"https://api.example.test/p/x.js", "https://api.example.test/p/q.css"},
		wider:   []string{"https://api.example.test/p/q/x.js"},
		onlyCSP: []string{"https://api.example.test/p/z.css"}, why: starSlash,
		blocked: []string{"https://api.example.test/q.css"},
	},
	{
		name: "redirects", rules: "- allow: [https://api.example.test/p/**, https://b.example.test/q]",
		pass: []string{"https://api.example.test/p/x", "https://b.example.test/q"},
		onlyCSP: []string{
			"https://api.example.test/p/redirect-1 -> https://api.example.test/elsewhere", // the path no longer counts
			"https://api.example.test/p/redirect-2 -> https://b.example.test/elsewhere",
			"https://api.example.test/p/redirect-3 -> https://api.example.test/p/y",
		}, why: "after a redirect CSP looks at no path, and Connection-Allowlist refuses every one",
		blocked: []string{"https://api.example.test/p/redirect-4 -> https://c.example.test/", "https://api.example.test/p/redirect-5 -> http://api.example.test/p/z", "https://api.example.test/r"},
	},
	{
		name: "redirects of frames and images", rules: "- {allow: https://api.example.test/p/**, types: [frame, image]}",
		onlyCSP: []string{
			"frame https://api.example.test/p/redirect-6 -> https://api.example.test/elsewhere.html",
			"image https://api.example.test/p/redirect-7 -> https://api.example.test/elsewhere.png",
		}, why: "after a redirect CSP looks at no path, and Connection-Allowlist refuses every one",
		blocked: []string{
			"frame https://api.example.test/p/redirect-8 -> https://c.example.test/x.html",
			"image https://api.example.test/p/redirect-9 -> https://c.example.test/x.png",
		},
	},
	{
		name: "own origin", rules: "- block: https://api.example.test",
		wider: []string{"http://SELF/x", "POST http://SELF/x", "ws://SELF/socket", "script http://SELF/x.js", "style http://SELF/x.css", "image http://SELF/x.png", "frame http://SELF/x.html"}, why: "the sandbox's own files need no rule; to CSP 'self' is https too",
		onlyCSP: []string{"https://SELF/x", "wss://SELF/socket"},
		blocked: []string{"http://OTHER/x", "ws://OTHER/socket", "script http://OTHER/x.js", "frame http://OTHER/x.html", "http://own.localhost/x", "http://localhost/x", "http://SELF/redirect-own -> http://OTHER/y"},
	},
	{
		name: "own redirects", rules: "- allow: https://api.example.test",
		onlyCSP: []string{"http://SELF/redirect-to-own -> http://SELF/x", "http://SELF/redirect-to-allowed -> https://api.example.test/x"}, why: "Connection-Allowlist refuses every redirect",
		blocked: []string{"http://SELF/redirect-to-other -> https://b.example.test/x"},
	},
	{
		name: "data and blob", rules: "- block: https://api.example.test",
		wider:         []string{"data-fetch http://SELF/1", "blob-fetch http://SELF/2", "data-image http://SELF/3", "blob-image http://SELF/4"},
		onlyAllowlist: []string{"data-script http://SELF/5", "blob-script http://SELF/6", "data-worker http://SELF/7", "blob-worker http://SELF/8"}, why: cspOnly,
	},
	{
		name: "scripts from blob", head: "scripts: [blob]", rules: "- allow: https://api.example.test",
		wider:         []string{"blob-script http://SELF/1", "blob-worker http://SELF/2"},
		onlyAllowlist: []string{"data-script http://SELF/3", "data-worker http://SELF/4"}, why: cspOnly,
	},
	{
		name: "more paths than a header holds", rules: manyPatterns("https://api.example.test/a-path-that-is-long-enough-to-fill-the-header/%d"),
		pass:  []string{"https://api.example.test/a-path-that-is-long-enough-to-fill-the-header/7"},
		wider: []string{"https://api.example.test/b"}, why: "the paths are left out, because the header would be too long",
		blocked: []string{"https://b.example.test/"},
	},
	{
		name: "more hosts than a header holds", rules: manyPatterns("https://a-name-that-is-long-enough-to-fill-the-header-%d.example.test"),
		pass:  []string{"https://a-name-that-is-long-enough-to-fill-the-header-7.example.test/"},
		wider: []string{"https://b.example.test/"}, why: "the hosts become all below their domain, because the header would be too long",
		blocked: []string{"https://b.example.org/", "https://example.test/"},
	},
	{
		name: "ceiling", rules: "- allow: ['https://*.example.test/v1/**', https://b.example.org]", ceiling: "- {allow: [https://api.example.test, 'https://*.b.example.test'], types: [fetch, script]}",
		pass:          []string{"https://api.example.test/v1/x", "https://a.b.example.test/v1/y", "script https://api.example.test/v1/x.js"},
		onlyAllowlist: []string{"style https://api.example.test/v1/x.css"}, why: noTypes,
		blocked: []string{"https://api.example.test/v2", "https://c.example.test/v1/x", "https://b.example.org/"},
	},
	{
		name: "audit", head: "mode: audit", rules: "- block: https://b.example.test",
		pass:          []string{"https://api.example.test/x", "http://api.example.test:8080/y", "script https://api.example.test/x.js", "https://a_b.example.test/"},
		wider:         []string{"https://b.example.test/", "https://10.0.0.7/"},
		onlyAllowlist: []string{"wss://api.example.test/", "frame https://api.example.test/x.html"}, why: "an audit's headers are wide open, but for frames and WebSockets",
	},
}
