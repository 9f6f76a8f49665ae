package server

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
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
		return refuse(http.StatusBadRequest, "bad-key", "The Idempotency-Key is invalid. Send it once, with 1 to 255 visible ASCII characters.")
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
		return refuse(http.StatusGone, "sandbox-removed", "The sandbox that was created with this Idempotency-Key has been removed. Use a new key to create another one.")
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
	if err := checkName(wanted.Name); err != nil {
		return spec, err
	}
	ttl, err := duration(wanted.TTL)
	if err != nil {
		return spec, err
	}
	contents := make(map[string][]byte, len(wanted.Files))
	for _, path := range slices.Sorted(maps.Keys(wanted.Files)) {
		if contents[path], err = wanted.Files[path].bytes(pointerTo("/files", path), path); err != nil {
			return spec, err
		}
	}
	spec = Spec{Name: wanted.Name, Entry: wanted.Entry, Fallback: wanted.Fallback, Keep: wanted.Keep, Flags: wanted.Flags, Permissions: wanted.Permissions, TTL: ttl, Labels: wanted.Labels}
	if wanted.Policy != "" {
		if spec.Policy, err = s.parse(c, []byte(wanted.Policy)); err != nil {
			return spec, err
		}
	}
	spec.Files, err = s.store.Snapshot(contents, vfs.DefaultLimits())
	return spec, err
}

// checkName checks a name that a client chooses. A Go program may use a path of any length.
func checkName(name string) error {
	const longest = 200 // bytes
	if !sandbox.Plain(name, longest) {
		return refuseField("/name", "The name is longer than %d bytes or contains control characters. Shorten it or remove them.", longest)
	}
	return nil
}

// duration returns the ttl that a client writes in seconds.
func duration(seconds int64) (time.Duration, error) {
	const most = 10 * 365 * 24 * 3600
	if seconds < 0 || seconds > most {
		return 0, refuseField("/ttl", "The ttl is %d seconds. Send a number from 1 to %d, or 0 for no expiry.", seconds, most)
	}
	return time.Duration(seconds) * time.Second, nil
}

// pointerTo returns the JSON Pointer of an object's member.
func pointerTo(object, name string) string {
	return string(jsontext.Pointer(object).AppendToken(name))
}

// mostListed is how many sandboxes a page of listSandboxes has at most, and by default.
const mostListed = 1_000

func (s *Server) listSandboxes(c echo.Context) error {
	page, err := pageOf(c.QueryParams())
	if err != nil {
		return err
	}
	wanted := page.Limit
	page.Limit++ // one more, to know whether another page follows
	list := SandboxList{Sandboxes: []Info{}}
	for i, sandbox := range s.List(page) {
		if i == wanted {
			list.Next = strconv.FormatInt(page.After, 10)
			break
		}
		list.Sandboxes, page.After = append(list.Sandboxes, sandbox.Info()), sandbox.Number()
	}
	return c.JSON(http.StatusOK, list)
}

// pageOf reads the query of listSandboxes: label, which may occur several times, limit, and
// after.
func pageOf(query url.Values) (page Page, err error) {
	page.Limit = mostListed
	for name, values := range query {
		if len(values) > 1 && name != "label" {
			return page, refuse(http.StatusBadRequest, "bad-parameter", "The parameter %s occurs %d times. Send it once.", name, len(values))
		}
		for _, value := range values {
			switch name {
			case "label":
				label, err := sandbox.ParseLabel(value)
				if err != nil {
					return page, refuse(http.StatusBadRequest, "bad-parameter", "%v.", err)
				}
				page.Labels = append(page.Labels, label)
			case "limit":
				if page.Limit, err = strconv.Atoi(value); err != nil || page.Limit < 1 || page.Limit > mostListed {
					return page, refuse(http.StatusBadRequest, "bad-parameter", "The limit is %.40q. Send a number from 1 to %d.", value, mostListed)
				}
			case "after":
				if page.After, err = strconv.ParseInt(value, 10, 64); err != nil || page.After < 0 {
					return page, refuse(http.StatusBadRequest, "bad-parameter", "The parameter after is %.40q. Send the value of next from the previous page.", value)
				}
			}
		}
	}
	return page, nil
}

// getSandbox has no 304: a patch and a view change the answer, but not the revision.
func (s *Server) getSandbox(c echo.Context) error {
	want, err := expected(c)
	if err != nil {
		return err
	}
	info := sandboxOf(c.Request()).Info()
	if want != 0 && want != info.Revision {
		return &StaleError{Expected: want, Revision: info.Revision}
	}
	return answerInfo(c, info)
}

func (s *Server) patchSandbox(c echo.Context) error {
	var wanted SandboxPatch
	_, free, err := s.uploadJSON(c, &wanted)
	if err != nil {
		return err
	}
	defer free()
	if wanted.Name != nil {
		if err := checkName(*wanted.Name); err != nil {
			return err
		}
	}
	update := sandbox.Update{Name: wanted.Name, Entry: wanted.Entry, Labels: wanted.Labels}
	if wanted.TTL != nil {
		ttl, err := duration(*wanted.TTL)
		if err != nil {
			return err
		}
		update.TTL = &ttl
	}
	if update.At, err = expected(c); err != nil {
		return err
	}
	if err := sandboxOf(c.Request()).Update(update); err != nil {
		return err
	}
	return answerInfo(c, sandboxOf(c.Request()).Info())
}

func answerInfo(c echo.Context, info Info) error {
	c.Response().Header().Set("ETag", etag(info.Revision))
	return c.JSON(http.StatusOK, info)
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
