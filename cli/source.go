package cli

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/vfs"
)

//go:embed example
var example embed.FS

// A source is where a sandbox's files and policy come from.
type source struct {
	folder *vfs.Folder // nil for the example
	file   string      // the policy file, "" for none
	store  *vfs.Store

	files  *vfs.Snapshot
	policy *rules.Policy
	text   []byte // the policy's
}

// openSource reads files and policy once. With neither folder nor file it is
// the embedded example with its own policy.
func openSource(dir, file string, store *vfs.Store) (*source, error) {
	s := &source{file: file, store: store}
	if err := s.readPolicy(dir); err != nil {
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
	if s.folder, err = vfs.OpenFolder(dir, store, vfs.DefaultLimits()); err != nil {
		return nil, err
	}
	if s.files, err = s.folder.Snapshot(); err != nil {
		s.folder.Close()
		return nil, err
	}
	return s, nil
}

func (s *source) readPolicy(dir string) error {
	name, text := s.file, []byte(nil)
	var err error
	switch {
	case s.file != "":
		if text, err = os.ReadFile(s.file); err != nil {
			return fmt.Errorf("cannot read the policy: %w", err)
		}
	case dir == "":
		name = "example/rules.yaml"
		if text, err = example.ReadFile(name); err != nil {
			return err
		}
	default:
		// A folder's own files never say what the folder may reach.
		return nil
	}
	s.text = text
	s.policy, err = parse(name, text)
	return err
}

func parse(name string, text []byte) (*rules.Policy, error) {
	policy, err := rules.Parse(name, text)
	if err != nil {
		return nil, fmt.Errorf("the policy is refused: %w", err)
	}
	return policy, nil
}

// watch follows folder and policy file into the sandbox until ctx ends. A change
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
	if s.folder != nil {
		group.Go(func() {
			err := s.folder.Watch(ctx, func(files *vfs.Snapshot, err error) {
				if err != nil {
					sandbox.Refused(err)
					return
				}
				note(sandbox.SetFiles(files))
			})
			if err != nil && ctx.Err() == nil {
				failed(fmt.Errorf("watching the folder: %w", err))
			}
		})
	}
	if s.file != "" {
		group.Go(func() {
			err := vfs.WatchFile(ctx, s.file, func(text []byte, err error) {
				if err != nil {
					sandbox.Refused(err)
					return
				}
				if bytes.Equal(text, s.text) {
					return // as it was read at the start, or saved unchanged
				}
				s.text = text
				policy, err := parse(s.file, text)
				if err != nil {
					sandbox.Refused(err)
					return
				}
				note(sandbox.SetPolicy(policy))
			})
			if err != nil && ctx.Err() == nil {
				failed(fmt.Errorf("watching the policy: %w", err))
			}
		})
	}
	return group.Wait
}

func (s *source) close() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}
