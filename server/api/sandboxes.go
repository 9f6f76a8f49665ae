package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

func (a *API) createSandbox(w http.ResponseWriter, r *http.Request, _ *sandbox.Sandbox) error {
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return err
	}
	var wanted NewSandbox
	body, free, err := a.uploadJSON(w, r, &wanted)
	if err != nil {
		return err
	}
	defer free()
	create := func() (*sandbox.Sandbox, error) {
		if wanted.Warm != "" {
			return a.fill(r.Context(), &wanted)
		}
		spec, err := a.specOf(r.Context(), &wanted)
		if err != nil {
			return nil, err
		}
		return a.Create(spec)
	}
	if key == "" {
		sb, err := create()
		if err != nil {
			return err
		}
		return answerCreated(w, sb)
	}
	id, err := a.Keys(r).Once(r.Context(), key, body, func() (string, error) {
		sb, err := create()
		if err != nil {
			return "", err
		}
		return sb.ID(), nil
	})
	if err != nil {
		return err
	}
	sb := a.Registry.Get(id)
	if sb == nil {
		return Refuse(http.StatusGone, "sandbox-removed", "The sandbox that was created with this Idempotency-Key has been removed. Use a new key to create another one.")
	}
	return answerCreated(w, sb)
}

func answerCreated(w http.ResponseWriter, sb *sandbox.Sandbox) error {
	info := InfoOf(sb)
	w.Header().Set("Location", Root+"/sandboxes/"+info.ID)
	w.Header().Set("ETag", ETag(info.Revision))
	return answerJSON(w, http.StatusCreated, info)
}

// specOf turns a request into the Spec that Go code would pass to [Config.Create].
func (a *API) specOf(ctx context.Context, wanted *NewSandbox) (sandbox.Spec, error) {
	spec, contents, err := wanted.spec()
	if err != nil {
		return spec, err
	}
	if wanted.Policy != "" {
		if spec.Policy, err = a.Parse(ctx, []byte(wanted.Policy)); err != nil {
			return spec, err
		}
	}
	if len(wanted.Packages) > 0 {
		ranges, err := rangesOf(wanted.Packages)
		if err != nil {
			return spec, err
		}
		if spec.Packages, err = a.Packages(ctx, ranges); err != nil {
			return spec, err
		}
	}
	spec.Files, err = a.Registry.Store().Snapshot(contents, vfs.DefaultLimits())
	return spec, err
}

// mostPackages is the maximum number of packages in a request, without their dependencies.
const mostPackages = 100

// rangesOf returns the ranges of packages by name.
func rangesOf(wanted []string) (map[string]string, error) {
	if len(wanted) > mostPackages {
		return nil, refuseField("/packages", "The request has %d packages, and at most %d are allowed.", len(wanted), mostPackages)
	}
	ranges := map[string]string{}
	for i, each := range wanted {
		pointer := fmt.Sprintf("/packages/%d", i)
		name, what, err := npm.ParseArgument(each)
		if err != nil {
			return nil, refuseField(pointer, "The package %.200q is invalid: %v.", each, err)
		}
		if _, twice := ranges[name]; twice {
			return nil, refuseField(pointer, "The list has the package %.200s twice. Remove one of them.", name)
		}
		ranges[name] = what
	}
	return ranges, nil
}

func (a *API) listSandboxes(w http.ResponseWriter, r *http.Request, _ *sandbox.Sandbox) error {
	page, err := pageQuery(r.URL.Query())
	if err != nil {
		return err
	}
	wanted := page.Limit
	page.Limit++ // one more, to know whether another page follows
	list := SandboxList{Sandboxes: []Info{}}
	for i, sb := range a.Registry.List(page) {
		if i == wanted {
			list.Next = strconv.FormatInt(page.After, 10)
			break
		}
		list.Sandboxes, page.After = append(list.Sandboxes, InfoOf(sb)), sb.Number()
	}
	return answerJSON(w, http.StatusOK, list)
}

// getSandbox has no 304: a patch and a view change the answer, but not the revision.
func (a *API) getSandbox(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	want, err := expected(r.Header)
	if err != nil {
		return err
	}
	info := InfoOf(sb)
	if want != 0 && want != info.Revision {
		return &sandbox.StaleError{Expected: want, Revision: info.Revision}
	}
	return answerInfo(w, info)
}

func (a *API) patchSandbox(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	var wanted SandboxPatch
	_, free, err := a.uploadJSON(w, r, &wanted)
	if err != nil {
		return err
	}
	defer free()
	update, err := wanted.update()
	if err != nil {
		return err
	}
	if update.At, err = expected(r.Header); err != nil {
		return err
	}
	if err := sb.Update(update); err != nil {
		return err
	}
	return answerInfo(w, InfoOf(sb))
}

func answerInfo(w http.ResponseWriter, info Info) error {
	w.Header().Set("ETag", ETag(info.Revision))
	return answerJSON(w, http.StatusOK, info)
}

func (a *API) deleteSandbox(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	at, err := expected(r.Header)
	if err != nil {
		return err
	}
	if err := sb.Remove(at); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
