package sandbox

import (
	"fmt"
	"sync"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// SetFiles makes a new revision with these files and returns its number. Every load that
// starts after SetFiles has returned sees this revision or a newer one, whether a document is
// loaded or something that a document needs. SetFiles may therefore wait for a browser that
// has stopped answering, for 1 s at most ([LeaseTime]).
//
// SetFiles fails with a [*vfs.LimitError] when there is no room ([Limits.StoreBytes]), or with
// [ErrRemoved]. A failed call changes nothing.
func (sb *Sandbox) SetFiles(files *vfs.Snapshot) (int64, error) {
	return sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		text := Describe(vfs.Compare(now.Files, files))
		now.Files = files
		return now, protocol.StepFiles, text, nil
	})
}

// SetPolicy makes a new revision with this policy and returns its number. A nil policy blocks
// everything. Documents that are already loaded keep the part of their old policy that the
// browser enforces. The worker's part has changed when SetPolicy returns, so SetPolicy may
// wait as [Sandbox.SetFiles] does.
func (sb *Sandbox) SetPolicy(policy *rules.Policy) (int64, error) {
	return sb.Change(func(now Version) (Version, protocol.Step, string, error) {
		now.Firewall = firewall.New(policy)
		return now, protocol.StepPolicy, "policy " + policyName(policy), nil
	})
}

// Refused records that a change was refused, and why. The current version stays in force.
func (sb *Sandbox) Refused(err error) {
	sb.lines.warn("a change was refused; the sandbox keeps what it has", "error", err)
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepRefused, Text: err.Error()}
	})
}

// LeftOut records that the source of the files contains something that was left out of the
// sandbox, and why.
func (sb *Sandbox) LeftOut(err error) {
	sb.lines.warn("left out of the sandbox", "error", err)
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepLeftOut, Text: err.Error()}
	})
}

// Change calls next with the current version and makes the version that it returns the next
// revision. The log records the step and the text. Change returns the new revision's number
// once no worker answers from an older revision.
//
// If Change fails, nothing has changed. In a removed sandbox it fails with [ErrRemoved]. next
// must not change the sandbox, because Change makes one change at a time.
func (sb *Sandbox) Change(next func(Version) (Version, protocol.Step, string, error)) (int64, error) {
	made, err := sb.change(next)
	return made.Revision, err
}

// change does what Change does, and returns the new version.
func (sb *Sandbox) change(next func(Version) (Version, protocol.Step, string, error)) (Version, error) {
	made, err := sb.replace(next)
	if err == nil {
		sb.leases.wait(made.Revision, sb.alive.Done())
	}
	return made, err
}

func (sb *Sandbox) replace(next func(Version) (Version, protocol.Step, string, error)) (Version, error) {
	// Compiling takes time, so others can read the current version meanwhile.
	sb.changing.Lock()
	defer sb.changing.Unlock()
	if err := sb.open(); err != nil {
		return Version{}, err
	}
	now, _ := sb.Version()
	v, step, text, err := next(now)
	if err != nil {
		return Version{}, err
	}
	v.Revision++
	source := protocol.SourcePage
	if v.invalid == "" {
		v.edited, source = v.Revision, protocol.SourceServer
	}
	var modules *protocol.ModuleChanges
	if now.Files != nil && v.Files != now.Files {
		v.Warm = false
	}
	differs := v.Files != now.Files || v.invalid != ""
	if differs {
		// A fault in a source is not an error of the change.
		compiled, err := sb.registry.config.Compiler.Compile(sb.alive, compile.Input{Files: v.Files, Packages: v.Packages, Before: now.Modules, Revision: v.Revision, Invalid: v.invalid})
		if err != nil {
			return Version{}, err
		}
		v.Served, v.Links, v.Diagnostics, v.Modules, modules = compiled.Served, compiled.Links, compiled.Diagnostics, compiled.Modules, compiled.Changes
		text += describeFaults(v.Diagnostics)
		v.Preload = now.Preload.next(v.Served, v.Revision)
	}
	sb.mu.Lock()
	defer sb.mu.Unlock()
	if err := sb.accepts(); err != nil { // it may have been removed meanwhile
		return Version{}, err
	}
	var files *protocol.FileChanges
	if differs {
		if err := sb.registry.store.Hold(v.Served); err != nil {
			return Version{}, err
		}
		if now.Files != nil {
			files = FileChanges(vfs.Compare(now.Files, v.Files))
		}
		if v.invalid != "" {
			files = listed(vfs.Diff{})
		}
		if files != nil {
			files.Modules = modules
		}
		sb.outgoing.keep(now.Served)
	}
	if v.Firewall != now.Firewall {
		v.WithoutWorker = nil
		if policy := v.Firewall.Policy().WithoutWorker(); policy != nil {
			v.WithoutWorker = firewall.New(policy)
		}
	}
	if v.filling != nil {
		sb.filled(v.filling)
	}
	v.invalid, v.filling = "", nil
	v.state = nil // otherwise each version would keep the previous one in memory
	made := v
	v.state = sync.OnceValues(func() ([]byte, error) { return sb.registry.config.State(sb, made) })
	sb.version = v
	sb.leases.begin(v.Revision)
	close(sb.changed)
	sb.changed = make(chan struct{})
	sb.log.append(v.Revision, func(h protocol.Head) any {
		h.Source = source
		return protocol.LifecycleEvent{Head: h, Step: step, Text: text, Files: files, Diagnostics: v.Diagnostics}
	})
	sb.registry.config.Observer.Revised(step)
	sb.registry.lines.info("revision", "sandbox", sb.id, "revision", v.Revision, "step", step, "text", text)
	for _, d := range v.Diagnostics {
		sb.lines.warn("a source is faulty", "severity", d.Severity, "file", d.File, "line", d.Line, "column", d.Column, "reason", d.Text)
	}
	return v, nil
}

// open returns [ErrRemoved] if the sandbox takes no changes.
func (sb *Sandbox) open() error {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.accepts()
}

// accepts does what open does. sb.mu is held.
func (sb *Sandbox) accepts() error {
	if sb.leaving || sb.alive.Err() != nil {
		return fmt.Errorf("sandbox %s: %w", sb.id, ErrRemoved)
	}
	return nil
}

// release releases the files of a removed sandbox in the store.
func (sb *Sandbox) release() {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	sb.registry.store.Release(sb.version.Served)
	sb.outgoing.end()
}

// Version returns the current version, and a channel that is closed when the next one replaces
// it.
func (sb *Sandbox) Version() (Version, <-chan struct{}) {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.version, sb.changed
}

func policyName(p *rules.Policy) string {
	if p == nil || p.Name == "" {
		return "block all"
	}
	return p.Name
}

// ServedWithoutWorker records that the server served a document that no worker controls. It
// records this once, until the sandbox's worker is seen again ([Sandbox.WorkerSeen]).
func (sb *Sandbox) ServedWithoutWorker() {
	if sb.withoutWorker.Swap(true) {
		return
	}
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepWithoutWorker, Text: "the server serves the files; only the browser's own policies hold the rules, and nobody logs requests"}
	})
}

// WorkerSeen notes that a worker has asked for its script or its state.
func (sb *Sandbox) WorkerSeen() { sb.withoutWorker.Store(false) }
