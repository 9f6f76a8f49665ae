package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/bellglass/bellglass/sandbox"
)

// answer writes a whole answer.
func answer(w http.ResponseWriter, status int, media string, body []byte) error {
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// answerJSON writes a value as a whole answer.
func answerJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return answer(w, status, MediaJSON, append(body, '\n'))
}

// answerCurrent answers with content that was read at a revision, or says that the client has
// it already. It fails if If-Match names another revision.
func answerCurrent(w http.ResponseWriter, r *http.Request, revision int64, write func() error) error {
	want, err := expected(r.Header)
	if err != nil {
		return err
	}
	if want != 0 && want != revision {
		return &sandbox.StaleError{Expected: want, Revision: revision}
	}
	w.Header().Set("ETag", ETag(revision))
	if method := r.Method; method != http.MethodGet && method != http.MethodHead {
		return write()
	}
	for tag := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == "*" || tag == ETag(revision) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return write()
}
