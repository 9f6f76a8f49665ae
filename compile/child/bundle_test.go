package child

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/packages/prebundle"
	"github.com/bellglass/bellglass/packages/registrytest"
)

func packed(t *testing.T, text string) prebundle.Packed {
	return prebundle.Packed{
		Name: "a", Version: "1.0.0", Dir: "/a", MaxUnpacked: 1 << 20, Subpaths: []string{"."},
		Tarball: registrytest.Tarball(t, registrytest.Entry{Name: "package/package.json", Content: "{}"}, registrytest.Entry{Name: "package/index.js", Content: text}),
	}
}

// A done context ends the child. Its neighbors and the next bundle succeed in another one.
func TestBundleIsCancelled(t *testing.T) {
	p := testPool(t)
	gone := errors.New("the client is gone")
	slow := packed(t, nested("let ä;", "", "", 400_000)) // takes more than 10 s
	for _, l := range []*lane{p.bundles, p.neighborBundles} {
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		go func() {
			_, err := l.do(ctx, request{Operation: bundle, Packed: slow})
			done <- err
		}()
		var child *process
		for running := 0; running == 0; {
			l.mu.Lock()
			if child = l.process; child != nil {
				child.mu.Lock()
				running = len(child.waiting)
				child.mu.Unlock()
			}
			l.mu.Unlock()
		}
		cancel(gone)
		if err := <-done; !errors.Is(err, gone) || !child.ended() {
			t.Errorf("%v, and the child has ended: %t", err, child.ended())
		}
		if _, _, err := p.Bundle(ctx, slow); !errors.Is(err, gone) {
			t.Error(err)
		}
		if result, _, err := p.Bundle(t.Context(), packed(t, "exports.a = 1")); err != nil || !strings.Contains(string(result.Files["index.js"]), "a") {
			t.Error(err)
		}
	}
	// A full lane does not hold the caller.
	p.neighborBundles.slots <- struct{}{}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if _, err := p.neighborBundles.do(ctx, request{}); !errors.Is(err, gone) {
		t.Error(err)
	}
}
