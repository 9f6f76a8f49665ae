package server

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// policyFile is the file name that positions and verdicts give to a policy from the API.
const policyFile = "policy.yaml"

func (s *Server) createSandbox(c echo.Context) error {
	key, err := api.IdempotencyKey(c.Request().Header)
	if err != nil {
		return err
	}
	var wanted NewSandbox
	body, free, err := s.uploadJSON(c, &wanted)
	if err != nil {
		return err
	}
	defer free()
	create := func() (*Sandbox, error) {
		spec, err := s.specOf(c, &wanted)
		if err != nil {
			return nil, err
		}
		return s.Create(spec)
	}
	if key == "" {
		sandbox, err := create()
		if err != nil {
			return err
		}
		return answerCreated(c, sandbox)
	}
	id, err := tokenOf(c).made.Once(c.Request().Context(), key, body, func() (string, error) {
		sandbox, err := create()
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
	c.Response().Header().Set("ETag", api.ETag(info.Revision))
	return c.JSON(http.StatusCreated, info)
}

// specOf turns a request into the Spec that Go code would pass to [Server.Create].
func (s *Server) specOf(c echo.Context, wanted *NewSandbox) (Spec, error) {
	spec, contents, err := wanted.Spec()
	if err != nil {
		return spec, err
	}
	if wanted.Policy != "" {
		if spec.Policy, err = s.parse(c, []byte(wanted.Policy)); err != nil {
			return spec, err
		}
	}
	spec.Files, err = s.store.Snapshot(contents, vfs.DefaultLimits())
	return spec, err
}

func (s *Server) listSandboxes(c echo.Context) error {
	page, err := api.PageQuery(c.QueryParams())
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

// getSandbox has no 304: a patch and a view change the answer, but not the revision.
func (s *Server) getSandbox(c echo.Context) error {
	want, err := api.Expected(c.Request().Header)
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
	update, err := wanted.Update()
	if err != nil {
		return err
	}
	if update.At, err = api.Expected(c.Request().Header); err != nil {
		return err
	}
	if err := sandboxOf(c.Request()).Update(update); err != nil {
		return err
	}
	return answerInfo(c, sandboxOf(c.Request()).Info())
}

func answerInfo(c echo.Context, info Info) error {
	c.Response().Header().Set("ETag", api.ETag(info.Revision))
	return c.JSON(http.StatusOK, info)
}

func (s *Server) deleteSandbox(c echo.Context) error {
	at, err := api.Expected(c.Request().Header)
	if err != nil {
		return err
	}
	if err := sandboxOf(c.Request()).Remove(at); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
