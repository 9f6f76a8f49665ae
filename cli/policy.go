package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// policyFiles holds a policy file and its includes as they were last read. Names have
// slashes, as in the policy.
type policyFiles struct {
	name string

	mu    sync.Mutex
	files map[string]policyFile
	used  map[string]bool // by the last load
}

type policyFile struct {
	text []byte
	err  error  // set if it cannot be read
	stop func() // stops watching the file
}

func newPolicyFiles(name string) *policyFiles {
	return &policyFiles{name: filepath.ToSlash(name), files: map[string]policyFile{}}
}

// load reads the files that were not read yet. It records all files that this load
// requested, including missing or invalid ones, because somebody may fix those.
func (p *policyFiles) load() (*rules.Policy, error) {
	p.used = map[string]bool{}
	policy, err := rules.Load(p.name, func(name string) ([]byte, error) {
		p.used[name] = true
		file, read := p.files[name]
		if !read {
			file.text, file.err = os.ReadFile(filepath.FromSlash(name))
			p.files[name] = file
		}
		return file.text, file.err
	})
	if _, refused := errors.AsType[rules.Errors](err); refused {
		return nil, fmt.Errorf("the policy is refused: %w", err)
	}
	return policy, err
}

// watch follows the files until ctx ends, in goroutines of the group. For each
// change it calls changed with the new policy, or with the error that prevents one. Calls of
// changed do not overlap. It calls failed if it cannot continue.
func (p *policyFiles) watch(ctx context.Context, group *sync.WaitGroup, changed func(*rules.Policy, error), failed func(error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.follow(ctx, group, changed, failed)
}

// follow watches exactly the files that the last load used.
func (p *policyFiles) follow(ctx context.Context, group *sync.WaitGroup, changed func(*rules.Policy, error), failed func(error)) {
	for name, file := range p.files {
		switch {
		case !p.used[name]:
			if file.stop != nil {
				file.stop()
			}
			delete(p.files, name)
		case file.stop == nil:
			one, stop := context.WithCancel(ctx)
			file.stop = stop
			p.files[name] = file
			group.Go(func() {
				defer stop()
				err := vfs.WatchFile(one, filepath.FromSlash(name), func(text []byte, err error) {
					p.mu.Lock()
					defer p.mu.Unlock()
					if one.Err() != nil || !p.differs(name, text, err) {
						return
					}
					policy, err := p.load()
					p.follow(ctx, group, changed, failed)
					changed(policy, err)
				})
				if err != nil && one.Err() == nil {
					failed(fmt.Errorf("watching the policy: %w", err))
				}
			})
		}
	}
}

// differs records what a file is now, and reports whether that is new. The state that
// was read at the start, a file saved unchanged, and a file that still cannot be read
// are not new.
func (p *policyFiles) differs(name string, text []byte, err error) bool {
	file := p.files[name]
	if file.err != nil && err != nil || file.err == nil && err == nil && bytes.Equal(file.text, text) {
		return false
	}
	file.text, file.err = text, err
	p.files[name] = file
	return true
}
