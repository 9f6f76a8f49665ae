package server

import (
	"archive/zip"
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server/api"
)

// A sample is a request that an operation accepts. It concerns the sandbox ID, which has the
// file /index.html.
type sample struct {
	path, body string
	status     int
	// changes says that the request changes something.
	changes bool
}

// zipOf returns a zip archive that does not depend on the time.
func zipOf(files map[string]string) string {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entry, err := w.Create(name)
		if err == nil {
			_, err = entry.Write([]byte(files[name]))
		}
		if err != nil {
			panic(err) // writing to memory does not fail
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return archive.String()
}

// samples has a row for each operation, by the operation's id.
var samples = map[string]sample{
	"createSandbox": {"/sandboxes", `{"name":"a","files":{"/index.html":{"text":"a"},"/b.bin":{"base64":"AAE="}},"policy":"version: 1\ndefault: block\n","flags":["allow-modals"],"permissions":["camera"],"ttl":60}`, 201, true},
	"warmSandboxes": {"/warm", `{"count":2,"policy":"version: 1\ndefault: block\n","entry":"/a","ttl":60}`, 201, true},
	"listSandboxes": {"/sandboxes", "", 200, false},
	"getSandbox":    {"/sandboxes/ID", "", 200, false},
	"patchSandbox":  {"/sandboxes/ID", `{"name":"b","entry":"/index.html","ttl":60,"labels":{"team":"a","old":null}}`, 200, true},
	"deleteSandbox": {"/sandboxes/ID", "", 204, true},
	"listFiles":     {"/sandboxes/ID/files", "", 200, false},
	"patchFiles":    {"/sandboxes/ID/files", `{"set":{"/a.txt":{"text":"a"}},"delete":["/index.html"]}`, 200, true},
	"replaceFiles":  {"/sandboxes/ID/files", zipOf(map[string]string{"index.html": "a", "a/b.txt": "b"}), 200, true},
	"execute":       {"/sandboxes/ID/execute", `{"code":"export default 1","args":{},"timeoutMs":1}`, 200, false},
	"callTool":      {"/sandboxes/ID/btcp", `{"id":"1","type":"execute","toolCode":"return 1","args":{}}`, 200, false},
	"getFile":       {"/sandboxes/ID/files/index.html", "", 200, false},
	"putFile":       {"/sandboxes/ID/files/a/new%20file.txt", "new contents", 201, true},
	"deleteFile":    {"/sandboxes/ID/files/index.html", "", 200, true},
	"getPolicy":     {"/sandboxes/ID/policy", "", 200, false},
	"putPolicy":     {"/sandboxes/ID/policy", "version: 1\ndefault: block\nscripts: [inline]\n", 200, true},
	"explain":       {"/sandboxes/ID/explain", `{"method":"GET","url":"https://a.example/"}`, 200, false},
	"followEvents":  {"/sandboxes/ID/events", "", 200, false},
	"readLog":       {"/sandboxes/ID/log", "", 200, false},
	"createApp":     {"/mcp-apps", `{"host":"` + mcpHost + `","app":{"html":"<p>x</p>","csp":{"connectDomains":["https://a.example"]},"permissions":{"camera":{}},"sandbox":""}}`, 201, true},
	"getDocument":   {"/openapi.json", "", 200, false},
}

// A fault makes a request invalid that would otherwise be accepted.
type fault struct {
	name   string
	of     func(*api.Operation) bool // which operations can have the fault; nil: all
	change func(call) call
	status int
	code   string // "" if the API does not answer
	says   string // must be in the detail
}

func needsToken(o *api.Operation) bool { return !o.Public }
func takesJSON(o *api.Operation) bool  { return o.Takes != nil && o.Takes.Media == api.MediaJSON }
func takesBody(o *api.Operation) bool  { return o.Takes != nil }

var faults = []fault{
	// The caller.
	{"no token", needsToken, func(c call) call { return c.with("Authorization", "") }, 401, "unauthorized", "Bearer"},
	{"wrong token", needsToken, func(c call) call { return c.with("Authorization", "Bearer "+strings.Repeat("a", 26)) }, 401, "unauthorized", ""},
	{"a part of the token", needsToken, func(c call) call {
		token := c.header.Get("Authorization")
		return c.with("Authorization", token[:len(token)-1])
	}, 401, "unauthorized", ""},
	{"no token after the scheme", needsToken, func(c call) call { return c.with("Authorization", "Bearer ") }, 401, "unauthorized", ""},
	{"another scheme", needsToken, func(c call) call {
		return c.with("Authorization", strings.Replace(c.header.Get("Authorization"), "Bearer", "Basic", 1))
	}, 401, "unauthorized", ""},
	{"two tokens", needsToken, func(c call) call {
		c = c.with()
		c.header.Add("Authorization", "Bearer "+strings.Repeat("a", 26))
		return c
	}, 401, "unauthorized", ""},
	{"token in the address", needsToken, func(c call) call {
		c.path += "?token=" + strings.TrimPrefix(c.header.Get("Authorization"), "Bearer ")
		return c.with("Authorization", "")
	}, 401, "unauthorized", ""},
	{"a page of another site", nil, func(c call) call { return c.with("Sec-Fetch-Site", "cross-site") }, 403, "cross-origin", "cross-site"},
	{"a page of the same site, such as a sandbox", nil, func(c call) call { return c.with("Sec-Fetch-Site", "same-site") }, 403, "cross-origin", ""},
	{"an origin", nil, func(c call) call { return c.with("Origin", "https://evil.example") }, 403, "cross-origin", "evil.example"},
	{"an opaque origin", nil, func(c call) call { return c.with("Origin", "null") }, 403, "cross-origin", "null"},
	{"the alias's origin", nil, func(c call) call {
		return c.with("Origin", strings.Replace("http://"+c.host, "localhost", "127.0.0.1", 1), "Sec-Fetch-Site", "same-origin")
	}, 403, "cross-origin", "127.0.0.1"},
	{"an origin, by a stranger", nil, func(c call) call { return c.with("Origin", "https://evil.example", "Authorization", "") }, 403, "cross-origin", ""},

	// The host and the path.
	{"a foreign host", nil, func(c call) call { c.host = "evil.test"; return c }, 421, "", ""},
	{"the outer frame's host", nil, func(c call) call { c.host = "sandbox." + c.host; return c }, 404, "", ""},
	{"an alias that is none", nil, func(c call) call { c.host = strings.Replace(c.host, "localhost", "localhost.", 1); return c }, 421, "", ""},
	{"an unknown path", nil, func(c call) call { c.path = api.Root + "/nothing"; return c }, 404, "not-found", "openapi.json"},
	{"another version", nil, func(c call) call { c.path = "/api/v2" + strings.TrimPrefix(c.path, api.Root); return c }, 404, "not-found", ""},
	{"a path spelled otherwise", nil, func(c call) call {
		c.path = strings.Replace(c.path, "/api/v1/", "/api/%761/", 1)
		return c
	}, 404, "not-found", ""},
	{"a method that is none", nil, func(c call) call { c.method = "BREW"; return c }, 405, "method-not-allowed", "BREW"},
	{"a preflight", nil, func(c call) call {
		c.method = "OPTIONS"
		return c.with("Access-Control-Request-Method", "PUT")
	}, 405, "method-not-allowed", "OPTIONS"},
	{"an unknown sandbox", (*api.Operation).OfSandbox, func(c call) call { c.path = strings.Replace(c.path, "ID", "nobody", 1); return c }, 404, "unknown-sandbox", ""},
	{"an unknown id", (*api.Operation).OfSandbox, func(c call) call {
		c.path = strings.Replace(c.path, "ID", strings.Repeat("a", idLength), 1)
		return c
	}, 404, "unknown-sandbox", ""},
	{"an unknown parameter", nil, func(c call) call { c.path += "?afetr=1"; return c }, 400, "bad-query", "afetr"},

	// The revision.
	{"a stale revision", func(o *api.Operation) bool { return o.Revised }, func(c call) call { return c.with("If-Match", `"7"`) }, 412, "stale-revision", "revision 7"},
	{"an unquoted revision", func(o *api.Operation) bool { return o.Revised }, func(c call) call { return c.with("If-Match", "1") }, 400, "bad-precondition", "in quotes"},
	{"a weak revision", func(o *api.Operation) bool { return o.Revised }, func(c call) call { return c.with("If-Match", `W/"1"`) }, 400, "bad-precondition", ""},
	{"two revisions", func(o *api.Operation) bool { return o.Revised }, func(c call) call { return c.with("If-Match", `"1", "2"`) }, 400, "bad-precondition", ""},
	{"If-Match on an operation without a revision", func(o *api.Operation) bool { return !o.Revised }, func(c call) call { return c.with("If-Match", `"1"`) }, 400, "bad-precondition", "If-Match"},

	// The body.
	{"a form", takesBody, func(c call) call { return c.with("Content-Type", "application/x-www-form-urlencoded") }, 415, "unsupported-type", "urlencoded"},
	{"no media type at all", takesBody, func(c call) call { return c.with("Content-Type", "this is none;") }, 415, "unsupported-type", ""},
	{"JSON by another name", takesJSON, func(c call) call { return c.with("Content-Type", "text/plain") }, 415, "unsupported-type", "application/json"},
	{"JSON by no name", takesJSON, func(c call) call { return c.with("Content-Type", "") }, 415, "unsupported-type", ""},
	{"another charset", takesJSON, func(c call) call { return c.with("Content-Type", "application/json; charset=utf-16") }, 415, "unsupported-type", "utf-16"},
	{"nothing", takesJSON, func(c call) call { return c.withBody("") }, 400, "bad-json", ""},
	{"an array", takesJSON, func(c call) call { return c.withBody("[]") }, 400, "bad-json", ""},
	{"cut JSON", takesJSON, func(c call) call { return c.withBody(c.body[:len(c.body)-1]) }, 400, "bad-json", "byte"},
	{"more after the JSON", takesJSON, func(c call) call { return c.withBody(c.body + "{}") }, 400, "bad-json", ""},
	{"an unknown key", takesJSON, func(c call) call { return c.withBody(`{"nonsense":1,` + c.body[1:]) }, 400, "bad-json", "nonsense"},
	{"a key in another case", takesJSON, func(c call) call { return c.withBody(strings.ToUpper(c.body[:3]) + c.body[3:]) }, 400, "bad-json", ""},
	{"a key twice", takesJSON, func(c call) call {
		name, _, _ := strings.Cut(c.body[1:], ":")
		return c.withBody("{" + name + `:{},` + c.body[1:])
	}, 400, "bad-json", ""},
	{"a key twice, rightly typed", takesJSON, func(c call) call {
		return c.withBody(c.body[:len(c.body)-1] + "," + c.body[1:])
	}, 400, "bad-json", "duplicate"},
	{"invalid UTF-8", takesJSON, func(c call) call { return c.withBody(strings.Replace(c.body, `a`, "\xff", 1)) }, 400, "bad-json", "UTF-8"},
	{"half a surrogate pair", takesJSON, func(c call) call { return c.withBody(`{"\ud800":1,` + c.body[1:]) }, 400, "bad-json", ""},
	{"deep JSON", takesJSON, func(c call) call { return c.withBody(strings.Repeat("[", 33) + c.body) }, 413, "body-too-large", "levels"},
	{"many values", takesJSON, func(c call) call { return c.withBody("[" + strings.Repeat("0,", api.MaxValues) + "0]") }, 413, "body-too-large", "values"},
	{"a body that is too large", takesBody, func(c call) call { c.announced = api.MaxBody + 1; return c }, 413, "body-too-large", "bytes"},
	{"a body that is cut", takesBody, func(c call) call { c.cut = true; return c }, 400, "body", ""},
	{"a client that goes", takesBody, func(c call) call { c.cut, c.gone = true, true; return c }, 0, "", ""},
}

// Each operation refuses each fault with the right code, and nothing changes. The same request
// without the fault is accepted.
func TestFaultyRequestsAreRefused(t *testing.T) {
	a := startAPI(t, Config{Limits: Limits{API: Rate{PerSecond: 1e9, Burst: 1e9}}, MCPApps: &mcpapps.Options{}, Embedders: []string{mcpHost}})
	rows := a.api.Operations()
	for _, row := range rows {
		sample, known := samples[row.ID]
		if !known {
			t.Errorf("%s has no sample", row.ID)
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			a.t = t
			sandbox := a.sandbox()
			good := a.call(row.Method, sample.path, sample.body)
			for _, f := range faults {
				if f.of != nil && !f.of(&row) {
					continue
				}
				t.Run(f.name, func(t *testing.T) {
					a.t = t
					before := a.state()
					got := a.send(f.change(good), sandbox)
					checkFault(t, &row, f, got)
					if after := a.state(); after != before {
						t.Errorf("it has changed\n%s to\n%s", before, after)
					}
					if held := a.uploads.used.Load(); held != 0 {
						t.Errorf("%d bytes are still counted", held)
					}
				})
			}
			// The control.
			before := a.state()
			got := a.send(good.with("Origin", "http://"+good.host, "Sec-Fetch-Site", "same-origin"), sandbox)
			if got.status != sample.status {
				t.Errorf("without a fault: status %d, want %d: %s", got.status, sample.status, got.body)
			}
			if err := policed(got.header); err != nil {
				t.Error(err)
			}
			if changed := a.state() != before; changed != sample.changes {
				t.Errorf("without a fault: it has changed something: %v", changed)
			}
		})
	}
	if len(samples) != len(rows) {
		t.Errorf("%d samples for %d operations", len(samples), len(rows))
	}
}

func checkFault(t *testing.T, row *api.Operation, f fault, got response) {
	t.Helper()
	if got.status != f.status {
		t.Fatalf("status %d, want %d: %.500s", got.status, f.status, got.body)
	}
	if f.code == "" {
		return // something else than the API answers, or the client is gone
	}
	p := problemIn(t, got)
	if p.Code != f.code || !strings.Contains(p.Detail, f.says) {
		t.Errorf("the code is %s, want %s; the detail %q, want %q in it", p.Code, f.code, p.Detail, f.says)
	}
	if !slices.Contains(slices.Concat(refusals(row, 4), refusals(row, 5)), p.Code) {
		t.Errorf("the operation does not say that it may refuse with %s", p.Code)
	}
	switch f.code {
	case "unauthorized":
		if got.header.Get("WWW-Authenticate") == "" {
			t.Error("no WWW-Authenticate")
		}
	case "method-not-allowed":
		if allow := strings.Split(got.header.Get("Allow"), ", "); !slices.Contains(allow, row.Method) || slices.Contains(allow, "OPTIONS") || slices.Contains(allow, http.MethodGet) != slices.Contains(allow, http.MethodHead) {
			t.Errorf("Allow is %q", allow)
		}
	case "stale-revision":
		if p.Revision != 1 {
			t.Errorf("the problem names the revision %d", p.Revision)
		}
	}
	if leaked := slices.Collect(maps.Keys(got.header)); slices.Contains(leaked, "Etag") {
		t.Errorf("a refusal with the headers %q", leaked)
	}
}
