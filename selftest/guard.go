package selftest

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// maxRequest bounds a request's body in bytes. The largest body is a [Frame] with a failure.
const maxRequest = 16 << 10

// ownPage accepts only requests of pages of this origin. A page cannot set Sec-Fetch-Site
// (Fetch Metadata, section 2.3). A client that does not send it is not a current browser, and
// is rejected. A program can send it, so this check only authenticates browsers.
func ownPage(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Site") != "same-origin" {
			problem(w, http.StatusForbidden, "cross-origin", "This path answers only to Bellglass's own page.")
			return
		}
		next(w, r)
	})
}

// changes guards paths that change something. In addition to ownPage, Origin must equal the
// requested origin, and the content type must be one that no form can send.
func changes(next http.HandlerFunc) http.Handler {
	return ownPage(func(w http.ResponseWriter, r *http.Request) {
		// The server has already compared Host with its own names.
		if r.Header.Get("Origin") != "http://"+r.Host {
			problem(w, http.StatusForbidden, "cross-origin", "This path answers only to Bellglass's own page.")
			return
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			problem(w, http.StatusUnsupportedMediaType, "media-type", "This path takes application/json.")
			return
		}
		next(w, r)
	})
}

// readJSON reads one JSON value, or answers and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		problem(w, http.StatusRequestEntityTooLarge, "body", fmt.Sprintf("The body could not be read; at most %d bytes are.", maxRequest))
		return false
	}
	if err := json.Unmarshal(body, into); err != nil {
		problem(w, http.StatusBadRequest, "bad-json", "The body is not the JSON that this path takes.")
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("selftest: an answer cannot be written as JSON: %v", err)) // the value is of our own types
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(b)
}

// problem answers with an error: a stable code, and a text that says what happened and what to
// do.
func problem(w http.ResponseWriter, status int, code, text string) {
	answer(w, status, map[string]string{"code": code, "text": text})
}
