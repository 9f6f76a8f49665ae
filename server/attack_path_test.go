package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// A path of ours has one spelling. Any other spelling leads to nothing, with the policy of a
// refusal. In particular, a worker's script has no other name than its own.

// spellings returns ways to write a path that something between the browser and the handler
// may equate with the path itself.
func spellings(path string) map[string]string {
	last := strings.LastIndex(path, "/")
	first := path[1:2]
	return map[string]string{
		"a letter encoded":       "/" + fmt.Sprintf("%%%02x", first[0]) + path[2:],
		"a letter, upper case":   "/" + fmt.Sprintf("%%%02X", first[0]) + path[2:],
		"last letter encoded":    path[:len(path)-1] + fmt.Sprintf("%%%02x", path[len(path)-1]),
		"encoded twice":          "/%25" + fmt.Sprintf("%02x", first[0]) + path[2:],
		"slash encoded":          path[:last] + "%2f" + path[last+1:],
		"slash encoded, upper":   path[:last] + "%2F" + path[last+1:],
		"first slash encoded":    "/%2f" + path[1:],
		"two slashes":            "/" + path,
		"three slashes":          "//" + path,
		"two slashes inside":     path[:last] + "/" + path[last:],
		"final slash":            path + "/",
		"final slash encoded":    path + "%2f",
		"dot segment":            "/." + path,
		"dot segment encoded":    "/%2e" + path,
		"climbing":               "/x/.." + path,
		"climbing, encoded":      "/x/%2e%2e" + path,
		"climbing, half encoded": "/x/.%2e" + path,
		"climbing at the end":    path + "/x/..",
		"climbing by %2f":        "/x%2f.." + path,
		"backslash":              path[:last] + `\` + path[last+1:],
		"backslash encoded":      path[:last] + "%5c" + path[last+1:],
		"backslash climbing":     `/x\..` + path,
		"parameter":              path + ";x=y",
		"parameter before":       "/;x" + path,
		"parameter encoded":      path + "%3bx",
		"NUL":                    path + "%00",
		"NUL before":             "/%00" + path,
		"NUL and extension":      path + "%00.html",
		"line break":             path + "%0d%0aX:%20y",
		"tab":                    path + "%09",
		"space":                  path + "%20",
		"plus":                   path + "+",
		"overlong dot":           "/%c0%ae%c0%ae" + path,
		"overlong slash":         path[:last] + "%c0%af" + path[last+1:],
		"full width":             "/%ef%bc%8e" + path[1:],
		"question encoded":       path + "%3fx",
		"hash encoded":           path + "%23x",
		"longer":                 path + "x",
		"very long":              path + strings.Repeat("/x", 8_000),
	}
}

func TestOnePathHasOneSpelling(t *testing.T) {
	s, sandbox := newTestServer(t)
	for host, paths := range routes(s, sandbox) {
		inner := "http://"+host == sandbox.URL()
		for _, path := range paths {
			path, query, _ := strings.Cut(path, "?")
			if path == "/" || inner && !strings.HasPrefix(path, protocol.Prefix) {
				continue // a virtual file's name; package sw tests the worker's own look-up
			}
			for what, spelled := range spellings(path) {
				if spelled[0] != '/' {
					continue // not a request target: net/http refuses it
				}
				for _, destination := range []string{"iframe", "serviceworker", "script", "empty", "document"} {
					got := ask(t, s, "GET", host, spelled+"?"+query, http.Header{
						"Sec-Fetch-Dest": {destination}, "Sec-Fetch-Site": {"same-origin"}, "Service-Worker": {"script"}, protocol.SecretHeader: {sandbox.secret}, protocol.KeyHeader: {sandbox.key},
					})
					// A frame of an inner origin may request any name, and gets the boot page.
					// Names below the reserved prefix are the exception, and so are names that
					// the boot page's own list leaves out.
					if inner && destination == "iframe" && got.status == http.StatusOK && strings.Contains(got.body, "Starting the sandbox") && !strings.HasPrefix(decoded(spelled), protocol.Prefix) && !strings.Contains(decoded(spelled), "//") {
						continue
					}
					if got.status < 400 {
						t.Errorf("%s as %s, %s (%s): status %d: %.100q", path, destination, what, spelled, got.status, got.body)
					}
					if err := policed(got.header); err != nil {
						t.Errorf("%s as %s, %s: %v", path, destination, what, err)
					}
					if csp := got.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; ") || !strings.HasSuffix(csp, "frame-ancestors 'none'; sandbox") {
						t.Errorf("%s as %s, %s: the policy is %q, want a refusal's", path, destination, what, csp)
					}
					if strings.Contains(got.body, sandbox.secret) || strings.Contains(got.body, sandbox.key) || strings.Contains(got.body, sandbox.token) {
						t.Errorf("%s as %s, %s: the answer tells a secret", path, destination, what)
					}
				}
			}
		}
	}
}

// The controls: each path in its own spelling is answered.
func TestPathsInTheirOwnSpelling(t *testing.T) {
	s, sandbox := newTestServer(t)
	for host, paths := range routes(s, sandbox) {
		for _, path := range paths {
			if strings.Contains(path, "/events") || path == protocol.ChangesPath || path == protocol.StreamCheckPath {
				continue // streams do not end; TestStreamCheck covers the last of these paths
			}
			method, destination, want := "GET", "iframe", http.StatusOK
			switch {
			case strings.Contains(path, "/reports"), path == protocol.VerdictsPath:
				method, destination, want = "POST", "empty", http.StatusBadRequest // without a body
			case path == protocol.WorkerPath:
				destination = destServiceWorker
			case path == protocol.UnlistedPath:
				want = http.StatusNotFound
			case strings.HasPrefix(path, protocol.BlobPath):
				want = http.StatusNotFound // no file has this content
			}
			got := ask(t, s, method, host, path, http.Header{
				"Sec-Fetch-Dest": {destination}, "Sec-Fetch-Site": {"same-origin"}, "Service-Worker": {"script"}, protocol.SecretHeader: {sandbox.secret}, protocol.KeyHeader: {sandbox.key},
			})
			if got.status != want || want == http.StatusNotFound && !strings.Contains(got.body, "no-content") && path != protocol.UnlistedPath || want == http.StatusBadRequest && !strings.Contains(got.body, "bad-json") {
				t.Errorf("%s %s%s: %d %.100q, want %d", method, host, path, got.status, got.body, want)
			}
		}
	}
}
