package mapping

// Behavior of Chromium 156 that the text of a rule does not show, and that no header can
// express.
const (
	secureToo   = "a CSP source for http covers https too"
	socketsAsIs = "to Connection-Allowlist a WebSocket is the http or https request that opens it"
	starDots    = "a star of Connection-Allowlist crosses dots, and CSP has none inside a host"
)

// hostMappings are the rows about schemes, hosts, and ports.
var hostMappings = []mapping{
	{
		name: "https host", rules: "- allow: https://api.example.test",
		pass: []string{"https://api.example.test/", "https://api.example.test:443/x?q", "POST https://api.example.test/p", "https://API.Example.TEST/upper"},
		blocked: []string{
			"https://api.example.test:8443/", "http://api.example.test/", "http://api.example.test:443/", "ws://api.example.test/", "https://example.test/",
			"https://x.api.example.test/", "https://xapi.example.test/", "https://api.example.test.evil.test/", "https://evil.test/https://api.example.test/",
		},
		onlyAllowlist: []string{"wss://api.example.test/"}, why: socketsAsIs,
	},
	{
		name: "default port written", rules: "- allow: https://api.example.test:443",
		pass:    []string{"https://api.example.test/"},
		blocked: []string{"https://api.example.test:8443/", "http://api.example.test/"},
	},
	{
		name: "explicit port", rules: "- allow: https://api.example.test:8443",
		pass:    []string{"https://api.example.test:8443/"},
		blocked: []string{"https://api.example.test/", "https://api.example.test:8444/", "http://api.example.test:8443/"},
	},
	{
		name: "https on port 80", rules: "- allow: https://api.example.test:80",
		pass:    []string{"https://api.example.test:80/"},
		blocked: []string{"https://api.example.test/", "http://api.example.test/"},
	},
	{
		name: "any port", rules: "- allow: https://api.example.test:*",
		pass:    []string{"https://api.example.test/", "https://api.example.test:8443/x", "https://api.example.test:1234/"},
		blocked: []string{"http://api.example.test/", "http://api.example.test:8443/", "https://x.api.example.test:8443/"},
	},
	{
		name: "http host", rules: "- allow: http://api.example.test",
		pass:    []string{"http://api.example.test/"},
		onlyCSP: []string{"https://api.example.test/"}, why: secureToo,
		blocked: []string{"http://api.example.test:8080/", "https://api.example.test:80/", "https://api.example.test:8443/", "wss://api.example.test/"},
	},
	{
		// By the specification https gets through here. In Chromium it does not.
		name: "http explicit port", rules: "- allow: http://api.example.test:8080",
		pass:    []string{"http://api.example.test:8080/"},
		blocked: []string{"https://api.example.test:8080/", "http://api.example.test/", "https://api.example.test/"},
	},
	{
		name: "http any port", rules: "- allow: http://api.example.test:*",
		pass:    []string{"http://api.example.test/", "http://api.example.test:8080/"},
		onlyCSP: []string{"https://api.example.test/", "https://api.example.test:8443/"}, why: secureToo,
		blocked: []string{"http://example.test:8080/"},
	},
	{
		name: "http on port 443", rules: "- allow: http://api.example.test:443",
		pass:    []string{"http://api.example.test:443/"},
		onlyCSP: []string{"https://api.example.test/"}, why: secureToo,
		blocked: []string{"http://api.example.test/"},
	},
	{
		name: "http and https", rules: "- allow: [http://api.example.test, https://api.example.test, http://api.example.test:8080, https://api.example.test:8080]",
		pass:    []string{"http://api.example.test/", "https://api.example.test/", "http://api.example.test:8080/", "https://api.example.test:8080/"},
		blocked: []string{"https://api.example.test:8443/", "http://api.example.test:8081/"},
	},
	{
		name: "wss", rules: "- allow: wss://live.example.test",
		pass: []string{"wss://live.example.test/room?id=1"}, why: socketsAsIs,
		blocked:       []string{"ws://live.example.test/", "wss://live.example.test:8443/", "wss://example.test/"},
		onlyAllowlist: []string{"https://live.example.test/"},
	},
	{
		name: "wss ports", rules: "- allow: [wss://live.example.test:8443, 'wss://any.example.test:*']",
		pass: []string{"wss://live.example.test:8443/", "wss://any.example.test/", "wss://any.example.test:1234/"}, why: socketsAsIs,
		onlyAllowlist: []string{"https://any.example.test:1234/"},
		blocked:       []string{"wss://live.example.test/", "ws://any.example.test/"},
	},
	{
		name: "wss path and subdomains", rules: "- allow: ['wss://*.live.example.test/rooms/**', wss://one.example.test/socket]",
		pass: []string{"wss://a.live.example.test/rooms/7", "wss://one.example.test/socket"}, why: socketsAsIs,
		onlyAllowlist: []string{"https://one.example.test/socket"},
		blocked:       []string{"wss://live.example.test/rooms/7", "wss://a.live.example.test/other", "wss://one.example.test/socket/x"},
	},
	{
		name: "ws with wss", rules: "- allow: [ws://live.example.test, wss://live.example.test, ws://live.example.test:8080, wss://live.example.test:8080]",
		pass: []string{"ws://live.example.test/", "wss://live.example.test/", "ws://live.example.test:8080/", "wss://live.example.test:8080/"}, why: socketsAsIs,
		onlyAllowlist: []string{"https://live.example.test/", "http://live.example.test/"},
		blocked:       []string{"ws://live.example.test:8081/"},
	},
	{name: "ws alone", rules: "- allow: ws://live.example.test", refused: "ws without wss"},
	{name: "wss with a star in a label", rules: "- allow: wss://api-*.live.example.test", refused: "a star inside a host"},
	{
		name: "any depth", rules: "- allow: 'https://*.example.test'",
		pass:    []string{"https://a.example.test/", "https://a.b.c.example.test/", "https://a_b.example.test/"},
		blocked: []string{"https://example.test/", "https://xexample.test/", "https://a.example.test:8443/", "http://a.example.test/", "https://a.example.test.evil.test/"},
	},
	{
		name: "two stars before the dot", rules: "- allow: 'https://**.example.test:8443'",
		pass:    []string{"https://a.example.test:8443/", "https://a.b.example.test:8443/"},
		blocked: []string{"https://example.test:8443/", "https://a.example.test/"},
	},
	{
		name: "apex and below", rules: "- allow: [https://example.test, 'https://*.example.test']",
		pass:    []string{"https://example.test/", "https://a.example.test/", "https://a.b.example.test/"},
		blocked: []string{"https://xexample.test/", "https://test/"},
	},
	{
		name: "braces", rules: "- allow: 'https://{api,www.cdn}.example.test'",
		pass:    []string{"https://api.example.test/", "https://www.cdn.example.test/"},
		blocked: []string{"https://cdn.example.test/", "https://example.test/", "https://apiwww.cdn.example.test/"},
	},
	{
		name: "star in a label", rules: "- allow: 'https://api-*.example.test'",
		pass:    []string{"https://api-1.example.test/", "https://api-eu-2.example.test/"},
		wider:   []string{"https://api-1.b.example.test/"},
		onlyCSP: []string{"https://www.example.test/", "https://api.example.test/", "https://a.api-1.example.test/"}, why: starDots,
		blocked: []string{"https://example.test/", "https://api-1.example.org/"},
	},
	{
		name: "star at the beginning of a label", rules: "- allow: 'https://*-api.example.test'",
		pass:    []string{"https://eu-api.example.test/"},
		wider:   []string{"https://a.eu-api.example.test/"},
		onlyCSP: []string{"https://www.example.test/", "https://eu-api.b.example.test/"}, why: starDots,
		blocked: []string{"https://example.test/"},
	},
	{
		name: "inner star label", rules: "- allow: 'https://a.*.example.test'",
		pass:    []string{"https://a.b.example.test/"},
		wider:   []string{"https://a.b.c.example.test/"},
		onlyCSP: []string{"https://a.example.test/", "https://b.example.test/", "https://x.b.example.test/"}, why: starDots,
		blocked: []string{"https://example.test/"},
	},
	{
		name: "star in an inner label", rules: "- allow: 'https://a.v*.b.example.test'",
		pass:    []string{"https://a.v1.b.example.test/", "https://a.v.b.example.test/"},
		wider:   []string{"https://a.v1.x.b.example.test/"},
		onlyCSP: []string{"https://a.b.example.test/", "https://x.v1.b.example.test/"}, why: starDots,
		blocked: []string{"https://b.example.test/", "https://a.v1.c.example.test/"},
	},
	{
		name: "two star labels", rules: "- allow: 'https://*.*.example.test'",
		pass:    []string{"https://a.b.example.test/", "https://a.b.c.example.test/"},
		onlyCSP: []string{"https://a.example.test/"}, why: starDots,
		blocked: []string{"https://example.test/"},
	},
	{
		name: "below a star label", rules: "- allow: 'https://*.v*.example.test'",
		pass:    []string{"https://a.v1.example.test/", "https://a.b.v1.example.test/"},
		wider:   []string{"https://a.v1.b.example.test/"},
		onlyCSP: []string{"https://v1.example.test/", "https://a.b.example.test/"}, why: starDots,
		blocked: []string{"https://example.test/"},
	},
	{
		name: "underscore", rules: "- allow: https://a_b.example.test",
		pass:    []string{"https://a_b.example.test/"},
		onlyCSP: []string{"https://c.example.test/", "https://x.a_b.example.test/"}, why: "CSP drops a source whose host has an underscore",
		blocked: []string{"https://example.test/"},
	},
	{
		name: "below an underscore", rules: "- allow: 'https://*.a_b.example.test'",
		pass:    []string{"https://x.a_b.example.test/", "https://x.y.a_b.example.test/"},
		onlyCSP: []string{"https://a_b.example.test/", "https://c.example.test/"}, why: "CSP drops a source whose host has an underscore",
		blocked: []string{"https://example.test/"},
	},
	{name: "underscore before a public suffix", rules: "- allow: https://a_b.co.uk", refused: "the underscore in label 1"},
	{
		name: "case of a host", rules: "- allow: https://API.Example.TEST",
		pass:    []string{"https://api.example.test/", "https://API.EXAMPLE.test/upper"},
		blocked: []string{"https://xapi.example.test/"},
	},
	{
		name: "internationalized host", rules: "- allow: ['https://bücher.example.test', 'https://*.xn--bcher-kva.example.test']",
		pass:    []string{"https://xn--bcher-kva.example.test/", "https://bücher.example.test/raw", "https://BÜCHER.example.test/upper", "https://a.bücher.example.test/"},
		blocked: []string{"https://bucher.example.test/", "https://b%C3%BCcherx.example.test/"},
	},
	{name: "star in an internationalized label", rules: "- allow: 'https://bü*.example.test'", refused: "a star in an internationalized label"},
	{
		name: "IPv4", rules: "- allow: [https://192.0.2.7, 'http://127.0.0.1:*', https://127.0.0.1]",
		pass:    []string{"https://192.0.2.7/", "https://0xc0.0.2.7/hexadecimal", "https://3221225991/number", "http://127.0.0.1/", "http://127.1:8080/short"},
		onlyCSP: []string{"https://127.0.0.1:8080/"}, why: secureToo,
		blocked: []string{"https://192.0.2.8/", "http://192.0.2.7/", "https://192.0.2.7:8443/", "http://localhost/", "http://127.0.0.2/"},
	},
	{name: "IPv4 in another spelling", rules: "- allow: http://0177.0.0.1", refused: "another spelling"},
	{name: "star in an address", rules: "- allow: 'http://192.0.2.*'", refused: "a star in"},
	{name: "IPv6", rules: "- allow: 'http://[2001:db8::1]'", refused: "an IPv6 address in an allow rule"},
	{
		name: "localhost", rules: "- allow: [http://localhost:8080, https://localhost:8080]",
		pass:    []string{"http://localhost:8080/", "https://localhost:8080/"},
		blocked: []string{"http://127.0.0.1:8080/", "http://a.localhost:8080/", "http://localhost:8081/"},
	},
	{
		name: "one label", rules: "- allow: https://intranet",
		pass:    []string{"https://intranet/"},
		blocked: []string{"https://a.intranet/", "https://intranet.test/"},
	},
	{
		name: "trailing dot", rules: "- allow: [http://api.example.test, https://api.example.test, 'http://*.b.example.test', 'https://*.b.example.test']",
		pass:    []string{"http://api.example.test/", "http://a.b.example.test/"},
		blocked: []string{"http://api.example.test./", "http://a.b.example.test./"},
	},
	{name: "trailing dot in a rule", rules: "- allow: https://api.example.test.", refused: "the host ends in a dot"},
	{
		name: "user name", rules: "- allow: [https://api.example.test, wss://api.example.test]",
		pass:     []string{"https://api.example.test/"},
		wider:    []string{"wss://user:password@api.example.test/"},
		never:    []string{"https://user@api.example.test/a", "image https://user:password@api.example.test/b.png", "https://api.example.test/redirect-to-user -> https://user@api.example.test/c"},
		spelling: true, why: "both headers ignore user names; only for a WebSocket does a browser take one",
	},
	{name: "user name in a rule", rules: "- allow: https://user@api.example.test", refused: "a user name before @"},
	{name: "names of a registry", rules: "- allow: 'https://*.test'", refused: "a star in the last two labels"},
	{name: "public suffix", rules: "- allow: 'https://*.co.uk'", refused: "a star right before co.uk"},
	{name: "private public suffix", rules: "- allow: 'https://*.github.io'", refused: "a star right before github.io"},
	{name: "deeper public suffix", rules: "- allow: 'https://*.s3.amazonaws.com'", refused: "a star right before s3.amazonaws.com"},
	{name: "label before a public suffix", rules: "- allow: 'https://api-*.co.uk'", refused: "a star right before co.uk"},
	{name: "any host", rules: "- allow: 'https://*'", refused: "a star in the last two labels"},
	{name: "any host with a port", rules: "- allow: 'https://*:8443'", refused: "a star in the last two labels"},
	{name: "glued star", rules: "- allow: 'https://*example.test'", refused: "a star in the last two labels"},
	{name: "star as the last label", rules: "- allow: 'https://example.*'", refused: "a star in the last two labels"},
	{name: "no scheme", rules: "- allow: api.example.test", refused: "the pattern has no scheme"},
	{name: "other scheme", rules: "- allow: 'data://api.example.test'", refused: "no rule can have the scheme"},
	{name: "class of characters", rules: "- allow: 'https://x[ab].example.test'", refused: "a character class is not part of this language"},
	{name: "port that is none", rules: "- allow: https://api.example.test:99999", refused: "neither a number from 1 to 65535"},
}
