package packages

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/compile/child"
	"github.com/bellglass/bellglass/packages/prebundle"
	"github.com/bellglass/bellglass/packages/registrytest"
)

// crashing is a module that ends the process that parses it.
var crashing = strings.Repeat("(", 200_000)

// slow is a module that takes more than 10 s to parse, because each declaration is an error.
var slow = strings.Repeat("let ä;", 60_000)

// counted returns options, and a function that returns the packages bundled since its last call.
func counted(t *testing.T, r *registrytest.Registry) (Options, func() []string) {
	o := options(t, r)
	var all []string
	o.Say = func(say string) {
		if name, ok := strings.CutPrefix(say, "Bundling "); ok {
			all = append(all, name)
		}
	}
	return o, func() []string {
		was := all
		all = nil
		slices.Sort(was)
		return was
	}
}

// A set answers from memory why a package of a registry cannot be bundled.
func TestFailuresAreKept(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t,
		simple("fine", "1.0.0"),
		pkg{Name: "deep", Version: "1.0.0", Files: map[string]string{"index.js": crashing, "fine.js": "exports.fine = 1"}},
		pkg{Name: "wrong", Version: "1.0.0", Files: map[string]string{"index.js": "var ="}},
		pkg{Name: "needs-deep", Version: "1.0.0", Manifest: keys{"dependencies": keys{"deep": "1"}}, Files: map[string]string{"index.js": "exports.deep = require('deep')"}},
	)
	o, bundled := counted(t, r)
	set, err := loadAll(t, o, "deep", "1", "fine", "1", "wrong", "1", "needs-deep", "1")
	if err != nil {
		t.Fatal(err)
	}
	limited := func(err error) bool { _, ok := errors.AsType[*child.BundleError](err); return ok }
	absent := func(err error) bool { _, ok := errors.AsType[*prebundle.SubpathError](err); return ok }
	invalid := func(err error) bool { return err != nil && strings.Contains(err.Error(), "cannot be bundled") }
	for _, row := range []struct {
		specifiers []string
		is         func(error) bool
		fails      []string // in the order of specifiers
		bundled    []string
	}{
		{[]string{"fine", "deep"}, limited, []string{"deep"}, []string{"deep 1.0.0", "fine 1.0.0"}},
		{[]string{"fine", "deep"}, limited, []string{"deep"}, nil},
		{[]string{"fine"}, func(err error) bool { return err == nil }, nil, nil},
		// More of the package also fails, and what did not fail before gets a chance.
		{[]string{"deep", "deep/fine.js"}, limited, []string{"deep"}, nil},
		{[]string{"deep/fine.js"}, func(err error) bool { return err == nil }, nil, []string{"deep 1.0.0"}},
		{[]string{"needs-deep"}, limited, nil, []string{"needs-deep 1.0.0"}},
		{[]string{"wrong"}, invalid, nil, []string{"wrong 1.0.0"}},
		{[]string{"wrong"}, invalid, nil, nil},
		{[]string{"fine/none"}, absent, nil, []string{"fine 1.0.0"}},
		{[]string{"fine/none"}, absent, nil, nil},
	} {
		err := set.Bundle(t.Context(), row.specifiers...)
		if got := bundled(); !row.is(err) || !slices.Equal(got, row.bundled) {
			t.Errorf("%q: %v, bundled %q, want %q", row.specifiers, err, got, row.bundled)
		}
		var fails []string
		if limit, ok := errors.AsType[*BundleLimitError](err); ok {
			for _, specifier := range row.specifiers {
				if limit.Fails(specifier) {
					fails = append(fails, specifier)
				}
			}
		}
		if !slices.Equal(fails, row.fails) {
			t.Errorf("%q: known to fail are %q, want %q", row.specifiers, fails, row.fails)
		}
	}
}

// A cancelled context ends an attempt, and the set does not keep its failure.
func TestBundleIsCancelled(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("fine", "1.0.0"), pkg{Name: "slow", Version: "1.0.0", Files: map[string]string{"index.js": slow}})
	o, bundled := counted(t, r)
	set, err := loadAll(t, o, "slow", "1", "fine", "1")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errors.New("the sandbox is gone"))
		began := time.Now()
		err := set.Bundle(ctx, "slow")
		cancel()
		if err == nil || err.Error() != "the sandbox is gone" || time.Since(began) > 5*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		if got := bundled(); !slices.Equal(got, []string{"slow 1.0.0"}) {
			t.Errorf("bundled %q", got)
		}
	}
	if err := set.Bundle(t.Context(), "fine"); err != nil {
		t.Error(err)
	}
}
