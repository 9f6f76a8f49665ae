package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/tests/internal/npm"
)

// atOnce is how many packages are fetched at the same time. A single fetch spends most of its
// time starting npm.
const atOnce = 4

// installPackages installs what is missing, and reports every failure.
func installPackages(ctx context.Context, all []npm.Package) error {
	todo := make(chan npm.Package)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		failed  []error
	)
	for range atOnce {
		workers.Go(func() {
			for p := range todo {
				if err := installPackage(ctx, p); err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, p := range all {
		todo <- p
	}
	close(todo)
	workers.Wait()
	return errors.Join(failed...)
}

func installPackage(ctx context.Context, p npm.Package) error {
	start := time.Now()
	fetched, err := npm.Install(ctx, p)
	if err != nil {
		return err
	}
	if fetched {
		progress("%s: installed in %v", p, time.Since(start).Round(100*time.Millisecond))
	} else {
		progress("%s: there", p)
	}
	return nil
}

// cacheStarter fetches the packages of the starter, which programs of the tests import.
func cacheStarter(ctx context.Context) error {
	start := time.Now()
	set, _, err := packages.Starter(ctx, packages.Options{})
	if err != nil {
		return err
	}
	progress("starter, %d packages: there after %v", set.Size(), time.Since(start).Round(100*time.Millisecond))
	return nil
}
