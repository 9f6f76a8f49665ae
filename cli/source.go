package cli

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

//go:embed example
var example embed.FS

// A source is where a sandbox's files and policy come from.
type source struct {
	folder      *vfs.Folder // nil for the example
	flags       folderFlags
	policyFiles *policyFiles // nil if no file was named
	store       *vfs.Store
	left        leftOut // of the folder

	files  *vfs.Snapshot
	policy *rules.Policy
}

// openSource reads files and policy once. With neither folder nor file it is
// the embedded example with its own policy.
func openSource(dir, file string, store *vfs.Store, folder folderFlags) (*source, error) {
	s := &source{store: store, flags: folder}
	if err := s.readPolicy(dir, file); err != nil {
		return nil, err
	}
	if dir == "" {
		files, err := fs.Sub(example, "example/files")
		if err != nil {
			return nil, err
		}
		s.files, err = store.FromFS(files, vfs.DefaultLimits())
		return s, err
	}
	var err error
	if s.folder, err = folder.open(dir, store); err != nil {
		return nil, err
	}
	if s.files, err = s.folder.Snapshot(); err != nil {
		s.folder.Close()
		return nil, folder.explain(err)
	}
	return s, nil
}

func (s *source) readPolicy(dir, file string) (err error) {
	switch {
	case file != "":
		s.policyFiles = newPolicyFiles(file)
		s.policy, err = s.policyFiles.load()
	case dir == "":
		const name = "example/rules.yaml"
		text, err := example.ReadFile(name)
		if err != nil {
			return err
		}
		s.policy, err = rules.Parse(name, text)
		return err
	}
	// A folder's own files never say what the folder may reach.
	return err
}

// watch follows folder and policy files into the sandbox until ctx ends. A change
// that cannot be taken is recorded in the sandbox's log, and what runs runs on.
// failed is called when the watching itself cannot go on. The returned function
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
				if !vfs.Same(files, s.files) { // or something else is left out, and that is all
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
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}
