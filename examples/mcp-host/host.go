package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed host.html host.css host.js view.js
var files embed.FS

// A host serves the page and connects it to the MCP server.
type host struct {
	session *mcp.ClientSession
	proxy   string // address of the sandbox proxy
}

// newHost returns the handler of the page at http://localhost with the given port.
func newHost(session *mcp.ClientSession, proxy string, port int) (http.Handler, error) {
	framed, err := url.Parse(proxy)
	if err != nil {
		return nil, err
	}
	h := &host{session, proxy}
	routes := http.NewServeMux()
	// Every request to the MCP server is a POST, so the guard below applies to it.
	routes.Handle("POST /describe", answer(h.describe))
	routes.Handle("POST /app", answer(h.app))
	routes.Handle("POST /mcp/tools/call", answer(session.CallTool))
	routes.Handle("POST /mcp/resources/list", answer(session.ListResources))
	routes.Handle("POST /mcp/resources/templates/list", answer(session.ListResourceTemplates))
	routes.Handle("POST /mcp/resources/read", answer(session.ReadResource))
	routes.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "host.html") })
	for _, name := range []string{"host.css", "host.js", "view.js"} {
		routes.Handle("GET /"+name, http.FileServerFS(files))
	}
	return guard(routes, fmt.Sprintf("localhost:%d", port), framed.Scheme+"://"+framed.Host), nil
}

// guard keeps other web pages away from the MCP server's tools. It rejects pages of
// other sites by their origin, which the browser sends, and pages whose host name leads
// to this machine by the Host header. The page may frame only the origin framed.
func guard(next http.Handler, host, framed string) http.Handler {
	policy := "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; frame-src " + framed
	guarded := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Host != host {
			http.Error(w, fmt.Sprintf("Open this host as http://%s/.", host), http.StatusMisdirectedRequest)
			return
		}
		guarded.ServeHTTP(w, r)
	})
}

// An outcome is the content of a JSON-RPC response.
type outcome struct {
	Result any            `json:"result,omitempty"`
	Error  *jsonrpc.Error `json:"error,omitempty"`
}

// answer decodes a method's parameters from the body, and writes its outcome. A failed
// method is not an HTTP error: the page passes the outcome on to the app either way.
func answer[P, R any](method func(context.Context, *P) (R, error)) http.Handler {
	const maxBody = 4 << 20
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var params P
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&params); err != nil {
			http.Error(w, fmt.Sprintf("The parameters are not the JSON of this method: %v.", err), http.StatusBadRequest)
			return
		}
		var o outcome
		result, err := method(r.Context(), &params)
		if err == nil {
			o.Result = result
		} else {
			o.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			if of, ok := errors.AsType[*jsonrpc.Error](err); ok { // the MCP server's own error
				o.Error.Code, o.Error.Data = of.Code, of.Data
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if err := json.NewEncoder(w).Encode(o); err != nil {
			return // the page is gone
		}
	})
}
