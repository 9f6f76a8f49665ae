package canary

import (
	"cmp"
	"encoding/base64"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/coder/websocket"
)

// URL returns the address of a path below a token, on 127.0.0.1.
func (c *Canary) URL(token, below string) string {
	return c.URLAt("127.0.0.1", token, below)
}

// URLAt is URL under another name of the same machine, "localhost" or "[::1]".
func (c *Canary) URLAt(host, token, below string) string {
	c.checkToken(token)
	return "http://" + host + ":" + strconv.Itoa(c.port) + "/" + url.PathEscape(token) + "/" + strings.TrimPrefix(below, "/")
}

// WebSocketURL returns the address of a WebSocket that echoes messages.
func (c *Canary) WebSocketURL(token string) string {
	return "ws" + strings.TrimPrefix(c.URL(token, "ws"), "http")
}

// Redirect returns an address below the token that redirects to the address to with
// 302. Requesting it is a hit of the token as well.
func (c *Canary) Redirect(token, to string) string {
	c.mu.Lock()
	at := "redirect-" + strconv.Itoa(len(c.answers)+1)
	c.mu.Unlock()
	c.Answer("/"+token+"/"+at, RedirectTo(to))
	return c.URL(token, at)
}

// An Answer replaces the canary's own answer. Its headers replace those that allow
// everything.
type Answer struct {
	Status int // 200 if 0
	Header http.Header
	Body   string
}

// RedirectTo returns the answer that redirects to a URL.
func RedirectTo(to string) Answer {
	return Answer{Status: http.StatusFound, Header: http.Header{"Location": {to}}}
}

// Answer sets the answer for a path (decoded, without query), under every host.
func (c *Canary) Answer(at string, a Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[at] = a
}

func (c *Canary) checkToken(token string) {
	c.t.Helper()
	if token == "" || strings.Contains(token, "/") {
		c.t.Fatalf("canary: %q cannot be a token: it is one segment of a path", token)
	}
}

func newHTTPServer(c *Canary) *http.Server {
	return &http.Server{
		Handler:                      http.HandlerFunc(c.answer),
		ConnContext:                  withConn,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // bytes that are not HTTP are expected here
	}
}

func (c *Canary) answer(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	own, set := c.answers[r.URL.Path]
	c.mu.Unlock()
	if !set {
		own = ordinary(r.URL.Path)
	}
	c.respond(w, r, own)
}

// respond records a request and answers it.
func (c *Canary) respond(w http.ResponseWriter, r *http.Request, own Answer) {
	cn := r.Context().Value(connKey{}).(*conn)
	hit := Hit{
		Kind: "http", Token: cn.token, Conn: cn.n, Secure: cn.secure,
		Method: r.Method, Host: r.Host, Path: r.RequestURI, Header: r.Header.Clone(),
	}
	if hit.Token == "" {
		hit.Token, _, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	}
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		hit.Kind = "websocket"
		c.record(hit)
		echo(w, r)
		return
	}
	recorded := c.record(hit)
	io.Copy(bodyWriter{c, recorded}, r.Body)

	allowEverything(w.Header(), r)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	maps.Copy(w.Header(), own.Header)
	w.WriteHeader(cmp.Or(own.Status, http.StatusOK))
	io.WriteString(w, own.Body)
}

// bodyWriter completes a hit that has been recorded.
type bodyWriter struct {
	c   *Canary
	hit *Hit
}

func (w bodyWriter) Write(b []byte) (int, error) {
	w.c.appendBody(w.hit, b)
	return len(b), nil
}

func allowEverything(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "*")
	h.Set("Access-Control-Allow-Headers", "*")
	if method := r.Header.Get("Access-Control-Request-Method"); method != "" {
		h.Set("Access-Control-Allow-Methods", method)
	}
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		h.Set("Access-Control-Allow-Headers", headers) // "*" does not cover Authorization
	}
	h.Set("Access-Control-Allow-Private-Network", "true")
	h.Set("Access-Control-Expose-Headers", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Timing-Allow-Origin", "*")
	h.Set("Cache-Control", "no-store") // a cached answer would hide the next request
}

func echo(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // from any origin
	if err != nil {
		return
	}
	defer ws.CloseNow()
	for {
		kind, message, err := ws.Read(r.Context())
		if err == nil {
			err = ws.Write(r.Context(), kind, message)
		}
		if err != nil {
			return // Read has answered a close frame already
		}
	}
}

type body struct{ contentType, content string }

var bodies = map[string]body{
	".js":   {"text/javascript", "globalThis.canary = true;\n"},
	".mjs":  {"text/javascript", "globalThis.canary = true;\nexport default true;\n"},
	".css":  {"text/css", ":root { --canary: 1 }\n"},
	".html": {"text/html; charset=utf-8", "<!doctype html><title>canary</title><p>canary</p>\n"},
	".json": {"application/json", `{"canary":true}` + "\n"},
	".svg":  {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>` + "\n"},
	".wasm": {"application/wasm", "\x00asm\x01\x00\x00\x00"},
	".png":  {"image/png", mustDecode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")},
}

// ordinary returns the canary's own answer for a path.
func ordinary(p string) Answer {
	b, ok := bodies[path.Ext(p)]
	if !ok {
		b = body{"text/plain; charset=utf-8", "canary\n"}
	}
	return Answer{Header: http.Header{"Content-Type": {b.contentType}}, Body: b.content}
}

func mustDecode(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
