package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellglass/bellglass/examples/mcp-host/palette"
)

// connected returns a client's session with a server in this process.
func connected(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

func TestDescribeTool(t *testing.T) {
	for name, test := range map[string]struct {
		meta mcp.Meta
		want tool
	}{
		"none":       {nil, tool{ForModel: true, ForApp: true}},
		"nested":     {mcp.Meta{"ui": map[string]any{"resourceUri": "ui://a/b"}}, tool{UI: "ui://a/b", ForModel: true, ForApp: true}},
		"flat":       {mcp.Meta{"ui/resourceUri": "ui://a/b"}, tool{UI: "ui://a/b", ForModel: true, ForApp: true}},
		"both":       {mcp.Meta{"ui": map[string]any{"resourceUri": "ui://new"}, "ui/resourceUri": "ui://old"}, tool{UI: "ui://new", ForModel: true, ForApp: true}},
		"not a ui":   {mcp.Meta{"ui": map[string]any{"resourceUri": "https://example.com/"}}, tool{ForModel: true, ForApp: true}},
		"not text":   {mcp.Meta{"ui": map[string]any{"resourceUri": 1.0, "visibility": "app"}}, tool{ForModel: true, ForApp: true}},
		"app alone":  {mcp.Meta{"ui": map[string]any{"visibility": []any{"app"}}}, tool{ForApp: true}},
		"for nobody": {mcp.Meta{"ui": map[string]any{"visibility": []any{}}}, tool{}},
	} {
		got := describeTool(&mcp.Tool{Meta: test.meta})
		got.Tool = nil
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A resource declares in the list, in the content, or in both.
func TestApp(t *testing.T) {
	declares := func(domain string) mcp.Meta {
		return mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []any{domain}}}}
	}
	csp := func(domain string) any { return map[string]any{"connectDomains": []any{domain}} }
	for name, test := range map[string]struct {
		listed  mcp.Meta
		content mcp.ResourceContents
		want    app
		fails   string
	}{
		"nothing declared": {nil, mcp.ResourceContents{Text: "<p>", MIMEType: appType}, app{HTML: "<p>"}, ""},
		"bytes":            {nil, mcp.ResourceContents{Blob: []byte("<p>"), MIMEType: appType}, app{HTML: "<p>"}, ""},
		"in the list":      {declares("https://list"), mcp.ResourceContents{Text: "<p>", MIMEType: appType}, app{HTML: "<p>", CSP: csp("https://list")}, ""},
		"in the content":   {nil, mcp.ResourceContents{Text: "<p>", MIMEType: appType, Meta: declares("https://content")}, app{HTML: "<p>", CSP: csp("https://content")}, ""},
		"in both":          {declares("https://list"), mcp.ResourceContents{Text: "<p>", MIMEType: appType, Meta: declares("https://content")}, app{HTML: "<p>", CSP: csp("https://content")}, ""},
		"less than listed": {declares("https://list"), mcp.ResourceContents{Text: "<p>", MIMEType: appType, Meta: mcp.Meta{"ui": map[string]any{}}}, app{HTML: "<p>"}, ""},
		"not an app":       {nil, mcp.ResourceContents{Text: "<p>", MIMEType: "text/html"}, app{}, `has the MIME type "text/html"`},
	} {
		t.Run(name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "server", Version: "1"}, nil)
			server.AddResource(&mcp.Resource{URI: "ui://a", Name: "a", Meta: test.listed}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				content := test.content
				content.URI = "ui://a"
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&content}}, nil
			})
			h := &host{session: connected(t, server)}
			got, err := h.app(t.Context(), &mcp.ReadResourceParams{URI: "ui://a"})
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("the error is %v, want one with %q", err, test.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// newPaletteHost returns the host at http://localhost:8080.
func newPaletteHost(t *testing.T) http.Handler {
	t.Helper()
	h, err := newHost(connected(t, palette.NewServer()), "http://sandbox.localhost:3333/sandbox.html", 8080)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Only the host's own page reaches the MCP server.
func TestGuard(t *testing.T) {
	h := newPaletteHost(t)
	const call = `{"name": "make_palette", "arguments": {"color": "#17707b"}}`
	for name, test := range map[string]struct {
		host    string
		headers map[string]string
		body    string
		want    int
	}{
		"own page":                {"localhost:8080", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8080"}, call, 200},
		"another program":         {"localhost:8080", nil, call, 200},
		"the sandbox proxy":       {"localhost:8080", map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://sandbox.localhost:3333"}, call, 403},
		"another site":            {"localhost:8080", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://example.com"}, call, 403},
		"without fetch metadata":  {"localhost:8080", map[string]string{"Origin": "https://example.com"}, call, 403},
		"a frame of no origin":    {"localhost:8080", map[string]string{"Origin": "null"}, call, 403},
		"a name that leads here":  {"example.com:8080", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://example.com:8080"}, call, 421},
		"another port":            {"localhost:8081", map[string]string{"Sec-Fetch-Site": "same-origin"}, call, 421},
		"what is not JSON":        {"localhost:8080", nil, "name=make_palette", 400},
		"more than a call can be": {"localhost:8080", nil, `"` + strings.Repeat("x", 5<<20) + `"`, 400},
	} {
		r := httptest.NewRequest("POST", "/mcp/tools/call", strings.NewReader(test.body))
		r.Host = test.host
		for key, value := range test.headers {
			r.Header.Set(key, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.want || strings.Contains(w.Body.String(), "Shades of") != (test.want == http.StatusOK) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, test.want)
		}
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || !strings.HasSuffix(policy, "frame-src http://sandbox.localhost:3333") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
	}
}

// The error code of the MCP server reaches the app.
func TestErrors(t *testing.T) {
	h := newPaletteHost(t)
	for path, test := range map[string]struct{ body, want string }{
		"/mcp/tools/call":     {`{"name": "none"}`, `"code":-32602`},
		"/mcp/resources/read": {`{"uri": "ui://none"}`, `Resource not found`},
		"/app":                {`{"uri": "ui://none"}`, `does not hand out the app ui://none`},
	} {
		r := httptest.NewRequest("POST", path, strings.NewReader(test.body))
		r.Host = "localhost:8080"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), `{"error":`) || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d %s, want an error with %s", path, w.Code, w.Body, test.want)
		}
	}
}
