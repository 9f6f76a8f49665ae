package server

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"
)

// Limits of one body in the HTTP API.
const (
	uploadBytes = 64 << 20
	policyBytes = 8<<20 + 1 // 1 more than a policy may have, so that the parser reports the limit: its message is better
	jsonValues  = 100_000
	jsonDepth   = 32
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
	if err := decode(bytes, into); err != nil {
		free()
		return nil, nil, err
	}
	return bytes, free, nil
}

// decode decodes exactly one JSON value. It rejects invalid UTF-8, duplicate names, unknown
// names, and names in another case.
func decode(text []byte, into any) error {
	values, depth := measureJSON(text)
	if values > jsonValues {
		return refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The body contains more than %d JSON values. Split it into several requests.", jsonValues)
	}
	if depth > jsonDepth {
		return refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The JSON nests deeper than %d levels.", jsonDepth)
	}
	err := json.Unmarshal(text, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	pointer, why := jsonMistake(err)
	return &fieldError{*refuse(http.StatusBadRequest, "bad-json", "The body is not valid JSON for this operation: %s.", why).(*answerError), pointer}
}

// jsonMistake returns where and why decoding failed, in terms of JSON and not of Go.
func jsonMistake(err error) (pointer, why string) {
	if at, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return string(at.JSONPointer), fmt.Sprintf("at byte %d: %v", at.ByteOffset, at.Err)
	}
	at, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return "", err.Error()
	}
	pointer = string(at.JSONPointer)
	switch {
	case errors.Is(at.Err, json.ErrUnknownName):
		return pointer, fmt.Sprintf("unknown key %.100q", at.JSONPointer.LastToken())
	case at.Err != nil:
		return pointer, fmt.Sprintf("at %.200q: %v", pointer, at.Err)
	}
	return pointer, fmt.Sprintf("at %.200q: unexpected value of type %v", pointer, at.JSONKind)
}

// etag formats a revision as an entity tag.
func etag(revision int64) string { return `"` + strconv.FormatInt(revision, 10) + `"` }

var oneETag = regexp.MustCompile(`^"([1-9][0-9]{0,17})"$`)

// expected returns the revision that If-Match names, or 0 for any.
func expected(c echo.Context) (int64, error) {
	values := c.Request().Header.Values("If-Match")
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return 0, nil
	}
	found := oneETag.FindStringSubmatch(values[0])
	if len(values) > 1 || found == nil {
		return 0, refuse(http.StatusBadRequest, "bad-precondition", "If-Match is %.100q. Send one revision in quotes, as in the ETag, or *.", strings.Join(values, ", "))
	}
	return strconv.ParseInt(found[1], 10, 64)
}

// answerCurrent answers with content that was read at a revision, or says that the client has
// it already. It fails if If-Match names another revision.
func answerCurrent(c echo.Context, revision int64, answer func() error) error {
	want, err := expected(c)
	if err != nil {
		return err
	}
	if want != 0 && want != revision {
		return &StaleError{Expected: want, Revision: revision}
	}
	c.Response().Header().Set("ETag", etag(revision))
	if method := c.Request().Method; method != http.MethodGet && method != http.MethodHead {
		return answer()
	}
	for tag := range strings.SplitSeq(strings.Join(c.Request().Header.Values("If-None-Match"), ","), ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == "*" || tag == etag(revision) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return answer()
}
