package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

// A source is where a sandbox's files and policy come from.
type source struct {
	example     *example    // nil for a folder
	folder      *vfs.Folder // nil for the example
	flags       folderFlags
	policyFiles *policyFiles // nil if no file was named
	store       *vfs.Store
	left        leftOut // entries of the folder

	files    *vfs.Snapshot
	packages compile.Packages // nil if no package.json says which
	policy   *rules.Policy
}

// openSource reads files and policy once. With neither folder nor file it returns the
// embedded example with its own policy.
func openSource(dir, file string, store *vfs.Store, folder folderFlags) (*source, error) {
	s := &source{store: store, flags: folder}
	if err := s.open(dir, file); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *source) open(dir, file string) (err error) {
	if err := s.readPolicy(file); err != nil {
		return err
	}
	if dir != "" {
		if s.folder, err = s.flags.open(dir, s.store); err != nil {
			return err
		}
		if s.files, err = s.folder.Snapshot(); err != nil {
			return s.flags.explain(err)
		}
		if packages := packagesOf(dir); packages != nil {
			s.packages = packages
		}
		return nil
	}
	if s.example, err = startExample(); err != nil {
		return err
	}
	if file == "" {
		if s.policy, err = s.example.policy(); err != nil {
			return err
		}
	}
	s.files, err = s.example.files(s.store)
	return err
}

// readPolicy reads the policy file, if one is named. A folder's own files never decide
// what the folder may reach.
func (s *source) readPolicy(file string) (err error) {
	if file == "" {
		return nil
	}
	s.policyFiles = newPolicyFiles(file)
	s.policy, err = s.policyFiles.load()
	return err
}

// watch applies changes of the folder and the policy files to the sandbox until ctx
// ends. An invalid change is recorded in the sandbox's log, and the previous state
// stays in force. failed is called if watching cannot continue. The returned function
// waits for the end.
func (s *source) watch(ctx context.Context, sandbox *server.Sandbox, failed func(error)) (wait func()) {
	var group sync.WaitGroup
	note := func(_ int64, err error) {
		if err != nil {
			sandbox.Refused(err)
		}
	}
	s.left.tell(s.files, sandbox.LeftOut)
	if s.folder != nil {
		group.Go(func() {
			err := s.folder.Watch(ctx, func(files *vfs.Snapshot, err error) {
				if err != nil {
					sandbox.Refused(s.flags.explain(err))
					return
				}
				s.left.tell(files, sandbox.LeftOut)
				if !vfs.Same(files, s.files) { // otherwise only what is left out has changed
					s.files = files
					note(sandbox.SetFiles(files))
				}
			})
			if err != nil && ctx.Err() == nil {
				failed(fmt.Errorf("watching the folder: %w", err))
			}
		})
	}
	if s.policyFiles != nil {
		s.policyFiles.watch(ctx, &group, func(policy *rules.Policy, err error) {
			if err != nil {
				sandbox.Refused(err)
				return
			}
			note(sandbox.SetPolicy(policy))
		}, failed)
	}
	return group.Wait
}

func (s *source) close() error {
	switch {
	case s.folder != nil:
		return s.folder.Close()
	case s.example != nil:
		return s.example.close()
	}
	return nil
}
