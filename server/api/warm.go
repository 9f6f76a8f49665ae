package api

import (
	"context"
	"net/http"

	"github.com/bellglass/bellglass/sandbox"
)

// mostWarm is the maximum number of sandboxes that one request makes.
const mostWarm = 100

func (a *API) warmSandboxes(w http.ResponseWriter, r *http.Request, _ *sandbox.Sandbox) error {
	var wanted NewWarm
	_, free, err := a.uploadJSON(w, r, &wanted)
	if err != nil {
		return err
	}
	defer free()
	if wanted.Count < 0 || wanted.Count > mostWarm {
		return refuseField("/count", "The count is %d. Send 1 to %d.", wanted.Count, mostWarm)
	}
	ttl, err := duration(wanted.TTL)
	if err != nil {
		return err
	}
	spec := sandbox.Spec{Entry: wanted.Entry, Flags: wanted.Flags, Permissions: wanted.Permissions, TTL: ttl, Labels: wanted.Labels}
	if wanted.Policy != "" {
		if spec.Policy, err = a.Parse(r.Context(), []byte(wanted.Policy)); err != nil {
			return err
		}
	}
	all, err := a.Warm(spec, max(1, wanted.Count))
	if err != nil {
		return err
	}
	list := SandboxList{Sandboxes: []Info{}}
	for _, sb := range all {
		list.Sandboxes = append(list.Sandboxes, InfoOf(sb))
	}
	return answerJSON(w, http.StatusCreated, list)
}

// fill fills the warm sandbox that the request names. It checks what it can before it fetches
// packages, which may take minutes.
func (a *API) fill(ctx context.Context, wanted *NewSandbox) (*sandbox.Sandbox, error) {
	for _, has := range []struct {
		name string
		is   bool
	}{
		{"policy", wanted.Policy != ""}, {"entry", wanted.Entry != ""}, {"flags", len(wanted.Flags) > 0}, {"permissions", len(wanted.Permissions) > 0},
	} {
		if has.is {
			return nil, refuseField("/"+has.name, "A request that fills a warm sandbox cannot have %s. Leave it out. POST /warm accepts the policy, the entry, the flags, and the permissions.", has.name)
		}
	}
	sb := a.Registry.Get(wanted.Warm)
	if sb == nil {
		return nil, UnknownSandbox()
	}
	if v, _ := sb.Version(); !v.Warm {
		return nil, sandbox.ErrNotWarm
	}
	spec, err := a.specOf(ctx, wanted)
	if err != nil {
		return nil, err
	}
	_, err = sb.Fill(sandbox.Filling{Files: spec.Files, Packages: spec.Packages, Name: spec.Name, Fallback: spec.Fallback, Labels: spec.Labels, Keep: spec.Keep, TTL: spec.TTL})
	return sb, err
}
