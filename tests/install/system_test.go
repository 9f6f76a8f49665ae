package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// A fakeMachine has an apt-get that makes a program appear, or fails.
type fakeMachine struct {
	root, noApt bool
	aptErr      error
	installs    bool
	there       bool
	calls       []string
}

func (f *fakeMachine) machine() machine {
	return machine{
		root:   func() bool { return f.root },
		hasApt: func() bool { return !f.noApt },
		apt: func(_ context.Context, args ...string) error {
			f.calls = append(f.calls, strings.Join(args, " "))
			f.there = f.there || args[0] == "install" && f.installs
			return f.aptErr
		},
	}
}

func (f *fakeMachine) find() (string, error) {
	if f.there {
		return "/bin/tool", nil
	}
	return "", exec.ErrNotFound
}

func TestEnsure(t *testing.T) {
	for name, test := range map[string]struct {
		fake  fakeMachine
		env   string
		calls string
		err   string
	}{
		"there":         {fake: fakeMachine{there: true}},
		"installed":     {fake: fakeMachine{root: true, installs: true}, calls: "update; install -y --no-install-recommends tool-pkg"},
		"not root":      {fake: fakeMachine{}, err: "apt-get install tool-pkg"},
		"no apt":        {fake: fakeMachine{root: true, noApt: true}, err: "or set TOOL"},
		"apt fails":     {fake: fakeMachine{root: true, aptErr: errors.New("locked")}, calls: "update", err: "locked"},
		"still missing": {fake: fakeMachine{root: true}, calls: "update; install -y --no-install-recommends tool-pkg", err: "still missing"},
		"named by env":  {fake: fakeMachine{root: true, installs: true}, env: "/gone", err: exec.ErrNotFound.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TOOL", test.env)
			r := requirement{
				name: "the tool", why: "it is needed", find: test.fake.find,
				packages: []string{"tool-pkg"}, instead: "install it, or set TOOL", env: "TOOL",
			}
			err := r.ensure(t.Context(), test.fake.machine())
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if got := strings.Join(test.fake.calls, "; "); got != test.calls {
				t.Errorf("apt-get calls %q, want %q", got, test.calls)
			}
		})
	}
}
