package server

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/server/api"
)

// Limits of one body in the HTTP API.
const (
	uploadBytes = 64 << 20
	policyBytes = 8<<20 + 1 // 1 more than a policy may have, so that the parser reports the limit: its message is better
)

// check compares the media type of a request with the one that the operation accepts. JSON
// must be declared as JSON. Bytes may have any type except those of forms: programs send these
// by default, and the body would not be what they mean.
func (t *content) check(r *http.Request) error {
	given := r.Header.Values("Content-Type")
	media, params := "", map[string]string{}
	if len(given) > 0 {
		var err error
		if media, params, err = mime.ParseMediaType(given[0]); err != nil || len(given) > 1 {
			return refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The Content-Type %.100q is not one media type. Send one, such as application/json.", strings.Join(given, ", "))
		}
	}
	charset := params["charset"]
	switch {
	case t.media == mediaBytes && media != "application/x-www-form-urlencoded" && media != "multipart/form-data":
		return nil
	case charset != "" && !strings.EqualFold(charset, "utf-8"):
		return refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The charset is %.50q. Send UTF-8.", charset)
	case media == t.media, slices.Contains(t.also, media), t.media == mediaYAML && slices.Contains([]string{"", "text/yaml", "application/x-yaml", "text/plain"}, media):
		return nil
	}
	return refuse(http.StatusUnsupportedMediaType, "unsupported-type", "The Content-Type is %.100q. This operation accepts %s.", media, strings.Join(append([]string{t.media}, t.also...), ", "))
}

// upload reads a body into the memory that the API has for bodies. free gives the memory back.
// The bytes must not be used afterwards.
func (s *Server) upload(c echo.Context, limit int) (bytes []byte, free func(), err error) {
	body := &body{of: []*allowance{&s.uploads}}
	if err := body.read(c, limit); err != nil {
		body.free()
		return nil, nil, err
	}
	return body.bytes, body.free, nil
}

// uploadJSON decodes a JSON body into a value. free does what that of upload does.
func (s *Server) uploadJSON(c echo.Context, into any) (bytes []byte, free func(), err error) {
	bytes, free, err = s.upload(c, uploadBytes)
	if err != nil {
		return nil, nil, err
	}
	s.decoding <- struct{}{}
	defer func() { <-s.decoding }()
	if err := api.Decode(bytes, into); err != nil {
		free()
		return nil, nil, err
	}
	return bytes, free, nil
}

// answerCurrent answers with content that was read at a revision, or says that the client has
// it already. It fails if If-Match names another revision.
func answerCurrent(c echo.Context, revision int64, answer func() error) error {
	want, err := api.Expected(c.Request().Header)
	if err != nil {
		return err
	}
	if want != 0 && want != revision {
		return &StaleError{Expected: want, Revision: revision}
	}
	c.Response().Header().Set("ETag", api.ETag(revision))
	if method := c.Request().Method; method != http.MethodGet && method != http.MethodHead {
		return answer()
	}
	for tag := range strings.SplitSeq(strings.Join(c.Request().Header.Values("If-None-Match"), ","), ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == "*" || tag == api.ETag(revision) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return answer()
}
