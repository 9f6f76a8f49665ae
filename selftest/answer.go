package selftest

import (
	"cmp"
	"encoding/base64"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// maxBody bounds how many bytes of a request's body are read.
const maxBody = 1 << 20

// answer records a request and answers it.
func (t *trap) answer(w http.ResponseWriter, r *http.Request) {
	letter := seenHTTP
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		letter = seenWebSocket
	}
	token, first := tokenOf(r.Host), r.Method+" "+r.RequestURI
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.settle(token, letter, first)
	}
	t.note(token, letter, first) // a connection can carry more than one request
	if t.tokens[token] == nil {
		turnAway(w)
		return
	}
	obey(w, r)
}

// turnAway answers requests whose host is not one of this run's names, which cannot be
// guessed. Without this check, any site that knows the port could have a page of its choice
// answered from a loopback address. Local Network Access lets such a page speak to every other
// service of the machine.
func turnAway(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, "The canary of a self-test answers to names of its run only.", http.StatusMisdirectedRequest)
}

// obey answers requests to a name of the run as hostile code wants them answered. The paths
// are /redirect?to=URL and /answer?status=S&type=T&body=B&header=NAME:VALUE. For every other
// path the answer is one that fits it.
func obey(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, io.LimitReader(r.Body, maxBody)); err != nil {
		return // the sender is gone
	}
	allowEverything(w.Header(), r)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	query := r.URL.Query()
	switch r.URL.Path {
	case "/redirect":
		w.Header().Set("Location", query.Get("to"))
		w.WriteHeader(http.StatusFound)
	case "/answer":
		status, err := strconv.Atoi(cmp.Or(query.Get("status"), "200"))
		if err != nil || status < 200 || status > 599 {
			status = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", query.Get("type"))
		for _, header := range query["header"] {
			name, value, _ := strings.Cut(header, ":")
			w.Header().Add(strings.TrimSpace(name), strings.TrimSpace(value))
		}
		w.WriteHeader(status)
		io.WriteString(w, query.Get("body"))
	default:
		kind := kindOf(r.URL.Path)
		w.Header().Set("Content-Type", kind.contentType)
		io.WriteString(w, kind.content)
	}
}

// allowEverything sets permissive headers, so that only the defense under test can stop a
// request.
func allowEverything(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", cmp.Or(r.Header.Get("Access-Control-Request-Method"), "*"))
	h.Set("Access-Control-Allow-Headers", cmp.Or(r.Header.Get("Access-Control-Request-Headers"), "*"))
	h.Set("Access-Control-Allow-Private-Network", "true")
	h.Set("Access-Control-Expose-Headers", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Timing-Allow-Origin", "*")
	h.Set("Cache-Control", "no-store") // a cached answer would hide the next request
}

type kind struct{ contentType, content string }

var kinds = map[string]kind{
	".js":    {"text/javascript", "globalThis.canary = true;\n"},
	".mjs":   {"text/javascript", "globalThis.canary = true;\nexport default true;\n"},
	".css":   {"text/css", ":root { --canary: 1 }\n"},
	".html":  {"text/html; charset=utf-8", "<!doctype html><title>canary</title><p>canary</p>\n"},
	".xml":   {"text/xml", "<canary/>\n"},
	".xhtml": {"application/xhtml+xml", "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>\n"},
	".json":  {"application/json", `{"canary":true}` + "\n"},
	".svg":   {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>` + "\n"},
	".wasm":  {"application/wasm", "\x00asm\x01\x00\x00\x00"},
	".wav":   {"audio/wav", ""},
	".gif":   {"image/gif", ""},
	".png":   {"image/png", mustDecode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")},
}

func kindOf(p string) kind {
	if k, ok := kinds[path.Ext(p)]; ok {
		return k
	}
	return kind{"text/plain; charset=utf-8", "canary\n"}
}

func mustDecode(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
