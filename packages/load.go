package packages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/resolve"
)

// A Request is what to load.
type Request struct {
	Dependencies map[string]string // ranges by name, as in package.json
	Lock         []byte            // a lock of ours, or nil
	NPMLock      []byte            // a package-lock.json, which is used if Lock is nil; or nil

	// Fresh lists names for which the lock does not decide.
	Fresh []string
}

// Load resolves and fetches packages. The set has no bundles yet.
func Load(ctx context.Context, r Request, o Options) (*Set, error) {
	client, err := o.client("")
	if err != nil {
		return nil, err
	}
	return load(ctx, client, r, o)
}

func load(ctx context.Context, client *npm.Client, r Request, o Options) (*Set, error) {
	ctx, cancel := o.within(ctx)
	defer cancel()
	request := resolve.Request{Dependencies: r.Dependencies, Fresh: r.Fresh, MaxPackages: o.limits().Packages}
	switch {
	case r.Lock != nil:
		lock, err := resolve.ParseLock(resolve.LockFile, r.Lock)
		if err != nil {
			return nil, err
		}
		request.Locked = lock.Graph()
	case r.NPMLock != nil:
		pins, err := resolve.ParseNPMLock(resolve.NPMLockFile, r.NPMLock)
		if err != nil {
			return nil, err
		}
		request.Pins = pins
	}
	if o.Offline {
		var err error
		if request.Known, err = known(); err != nil {
			return nil, err
		}
	}
	o.say("Choosing versions")
	graph, warnings, err := resolve.Resolve(ctx, client, request)
	if err != nil {
		return nil, err
	}
	if err := fetch(ctx, client, graph, o); err != nil {
		return nil, err
	}
	set := newSet(&registrySource{client: client, graph: graph}, client.Cache, o)
	set.warnings = warnings
	return set, nil
}

// fetch brings all tarballs of a graph into the cache.
func fetch(ctx context.Context, client *npm.Client, graph *resolve.Graph, o Options) error {
	var wanted []*resolve.Package
	for _, key := range graph.Keys() {
		p := graph.Packages[key]
		if !slices.ContainsFunc(strings.Fields(p.Dist.Integrity), client.Cache.Has) {
			wanted = append(wanted, p)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	var mu sync.Mutex
	var missing []string
	var total, done atomic.Int64
	for _, p := range wanted {
		group.Go(func() error {
			tarball, integrity, err := client.Tarball(ctx, p.Name, p.Version, p.Dist)
			if absent, ok := errors.AsType[*npm.MissingError](err); ok {
				mu.Lock()
				missing = append(missing, absent.What)
				mu.Unlock()
				return nil
			} else if err != nil {
				return err
			}
			if limit := o.limits().TotalBytes; total.Add(int64(len(tarball))) > limit {
				return fmt.Errorf("%w; depend on fewer, or raise the limit", &npm.RejectedError{Reason: fmt.Sprintf("the packages have more than %d bytes together, which is the limit", limit)})
			}
			p.Dist.Integrity = integrity
			o.say("Fetched %d of %d packages", done.Add(1), len(wanted))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if missing != nil {
		slices.Sort(missing)
		return &npm.MissingError{What: strings.Join(missing, ", ")}
	}
	for _, p := range graph.Packages {
		for option := range strings.FieldsSeq(p.Dist.Integrity) {
			if client.Cache.Has(option) {
				p.Dist.Integrity = option
				break
			}
		}
	}
	return nil
}
