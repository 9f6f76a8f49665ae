package server

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// policyFile is the file name that positions and verdicts give to a policy from the API.
const policyFile = "policy.yaml"

// keySyntax is the syntax of an Idempotency-Key.
var keySyntax = regexp.MustCompile(`^[!-~]{1,255}$`)

func (s *Server) createSandbox(c echo.Context) error {
	keys := c.Request().Header.Values("Idempotency-Key")
	if len(keys) > 1 || len(keys) == 1 && !keySyntax.MatchString(keys[0]) {
		return refuse(http.StatusBadRequest, "bad-key", "The Idempotency-Key must be one of 1 to 255 visible ASCII characters.")
	}
	var wanted NewSandbox
	body, free, err := s.uploadJSON(c, &wanted)
	if err != nil {
		return err
	}
	defer free()
	make := func() (*Sandbox, error) {
		spec, err := s.specOf(c, &wanted)
		if err != nil {
			return nil, err
		}
		return s.Create(spec)
	}
	if len(keys) == 0 {
		sandbox, err := make()
		if err != nil {
			return err
		}
		return answerCreated(c, sandbox)
	}
	id, err := tokenOf(c).made.once(c.Request().Context(), keys[0], body, func() (string, error) {
		sandbox, err := make()
		if err != nil {
			return "", err
		}
		return sandbox.ID(), nil
	})
	if err != nil {
		return err
	}
	sandbox := s.Sandbox(id)
	if sandbox == nil {
		return refuse(http.StatusGone, "sandbox-removed", "The sandbox that was made with this Idempotency-Key has been removed since. A new one needs a new key.")
	}
	return answerCreated(c, sandbox)
}

func answerCreated(c echo.Context, sandbox *Sandbox) error {
	info := sandbox.Info()
	c.Response().Header().Set("Location", apiRoot+"/sandboxes/"+info.ID)
	c.Response().Header().Set("ETag", etag(info.Revision))
	return c.JSON(http.StatusCreated, info)
}

// specOf turns a request into the Spec that Go code would pass to [Server.Create].
func (s *Server) specOf(c echo.Context, wanted *NewSandbox) (spec Spec, err error) {
	const longestName = 200 // bytes
	if !sandbox.Plain(wanted.Name, longestName) {
		return spec, refuseField("/name", "The name is longer than %d bytes or has control characters.", longestName)
	}
	const mostSeconds = 10 * 365 * 24 * 3600
	if wanted.TTL < 0 || wanted.TTL > mostSeconds {
		return spec, refuseField("/ttl", "The ttl is %d seconds; it must be between 1 and %d, or 0 for none.", wanted.TTL, mostSeconds)
	}
	contents := make(map[string][]byte, len(wanted.Files))
	for _, path := range slices.Sorted(maps.Keys(wanted.Files)) {
		if contents[path], err = wanted.Files[path].bytes(pointerTo("/files", path), path); err != nil {
			return spec, err
		}
	}
	spec = Spec{Name: wanted.Name, Entry: wanted.Entry, Fallback: wanted.Fallback, Keep: wanted.Keep, Flags: wanted.Flags, Permissions: wanted.Permissions, TTL: time.Duration(wanted.TTL) * time.Second}
	if wanted.Policy != "" {
		if spec.Policy, err = s.parse(c, []byte(wanted.Policy)); err != nil {
			return spec, err
		}
	}
	spec.Files, err = s.store.Snapshot(contents, vfs.DefaultLimits())
	return spec, err
}

// pointerTo returns the JSON Pointer of an object's member.
func pointerTo(object, name string) string {
	return string(jsontext.Pointer(object).AppendToken(name))
}

func (s *Server) listSandboxes(c echo.Context) error {
	list := SandboxList{Sandboxes: []Info{}}
	for _, sandbox := range s.Sandboxes() {
		list.Sandboxes = append(list.Sandboxes, sandbox.Info())
	}
	return c.JSON(http.StatusOK, list)
}

func (s *Server) getSandbox(c echo.Context) error {
	info := sandboxOf(c.Request()).Info()
	return answerCurrent(c, info.Revision, func() error { return c.JSON(http.StatusOK, info) })
}

func (s *Server) deleteSandbox(c echo.Context) error {
	at, err := expected(c)
	if err != nil {
		return err
	}
	if err := sandboxOf(c.Request()).Remove(at); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
