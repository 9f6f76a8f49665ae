package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// A Sandbox is one origin with its files, its policy and its log. It is safe for
// concurrent use.
type Sandbox struct {
	id, name, entry, fallback string
	origin                    string
	// secret and key are the worker's, token the outer frame's.
	secret, key, token string
	// incarnation names this sandbox among those that have had its id, here or on earlier
	// servers. It is no secret.
	incarnation   string
	server        *Server
	log           *eventLog
	number        int64 // in the order in which they were made
	keep          bool
	made, expires time.Time // expires is zero for one without a [Spec.TTL]

	// What it may take, and how long it lives.
	streams, bodies             allowance
	verdicts, reports, requests *rate.Limiter
	browserReports              *rate.Limiter // apart, so that code which floods the others hides none of these
	refusals                    refusals
	unreported                  tally
	lines                       *muffler
	leases                      *leases
	outgoing                    outgoing
	executions                  *executions
	life                        lifetime
	withoutWorker               atomic.Bool     // a document was served past the worker, and no worker has asked since
	app                         *hostedApp      // nil unless the sandbox is for an MCP App
	alive                       context.Context // done when the sandbox is removed
	end                         context.CancelFunc

	mu      sync.RWMutex
	version version
	changed chan struct{} // closed when the version changes
	leaving bool          // it is being removed, and takes no more changes
}

// A version is all that a revision number stands for. It is replaced whole.
type version struct {
	revision int64
	files    *vfs.Snapshot
	packed   packed // of the files
	fire     *firewall.Firewall
	// withoutWorker is what holds where the server itself serves the files, nil if it does
	// not.
	withoutWorker *firewall.Firewall
	grants        firewall.Grants
	baseline      firewall.Baseline
	// state is what the worker fetches: made when it first does, and then kept.
	state func() ([]byte, error)
}

// Create makes a sandbox. Unless the spec has one, its id is unguessable and never used
// again. It fails with [ErrFull] when there are too many, with a [*vfs.LimitError] when
// the files are more than there is room for ([Limits.StoreBytes]), with [ErrEnding] after
// [Server.End], and with a [*SpecError].
func (s *Server) Create(spec Spec) (*Sandbox, error) { return s.create(spec, nil) }

// create makes a sandbox, for an MCP App if app is not nil.
func (s *Server) create(spec Spec, app *hostedApp) (*Sandbox, error) {
	if spec.Files == nil {
		return nil, errors.New("server: a sandbox needs files; an empty snapshot is allowed")
	}
	if spec.Entry == "" {
		spec.Entry = "/"
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	if s.isEnding.Load() {
		return nil, fmt.Errorf("server: %w; no sandbox is made any more", ErrEnding)
	}
	// First, so that no sandbox is ended for one that there is no room for.
	if err := s.store.Hold(spec.Files); err != nil {
		return nil, err
	}
	defer s.store.Release(spec.Files)
	if err := s.admit(); err != nil {
		return nil, err
	}
	sandbox, err := s.make(spec, app)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.coming--
	if err != nil {
		return nil, err
	}
	if s.sandboxes[sandbox.id] != nil {
		sandbox.release()
		return nil, &SpecError{"id", fmt.Sprintf("the id %s is another sandbox's", sandbox.id)}
	}
	s.made++
	s.metrics.created.Inc()
	sandbox.number = s.made
	s.sandboxes[sandbox.id] = sandbox
	if s.first == "" {
		s.first = sandbox.id
	}
	sandbox.life.begin(spec.Keep)
	sandbox.endAfter(spec.TTL)
	return sandbox, nil
}

func (s *Server) make(spec Spec, app *hostedApp) (*Sandbox, error) {
	id, limits := cmp.Or(spec.ID, NewID()), s.config.Limits
	idle := limits.Idle
	if app != nil {
		idle = min(idle, appIdle)
	}
	sandbox := &Sandbox{
		id: id, keep: spec.Keep, made: time.Now().UTC(), name: spec.Name, entry: spec.Entry, fallback: spec.Fallback, origin: s.config.inner(id),
		secret: rand.Text(), key: rand.Text(), token: rand.Text(), incarnation: rand.Text(), server: s, log: newEventLog(&s.logs), changed: make(chan struct{}),
		streams: allowance{max: int64(limits.SandboxStreams)}, bodies: allowance{max: limits.BodyBytes / 4},
		verdicts: limits.Verdicts.limiter(), reports: limits.Reports.limiter(), requests: limits.Requests.limiter(),
		lines: newMuffler(s.config.Log.With("sandbox", id), limits.LogLines), leases: newLeases(), executions: newExecutions(&s.config.Limits),
		app: app,
		life: lifetime{limit: idle, end: func(idle time.Duration) {
			s.remove(id, endedIdle, fmt.Sprintf("nobody had viewed it for %s", idle.Round(time.Second)))
		}},
	}
	if spec.TTL > 0 {
		sandbox.expires = sandbox.made.Add(spec.TTL)
	}
	sandbox.outgoing.store = s.store
	sandbox.browserReports = limits.Reports.limiter()
	sandbox.unreported.tell = func(count int) { sandbox.recordDropped(count, protocol.SourceBrowser) }
	sandbox.alive, sandbox.end = context.WithCancel(context.Background())
	_, err := sandbox.change(func(now version) (version, protocol.Step, string, error) {
		now.files, now.fire = spec.Files, firewall.New(spec.Policy)
		now.grants, now.baseline = spec.grants().Sorted(), spec.Baseline
		return now, protocol.StepCreated, describeNew(spec), nil
	})
	return sandbox, err
}

// firstID is the id of the sandbox that the host page shows when none is named, or "".
func (s *Server) firstID() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.first
}

// Sandbox returns the sandbox with the id, or nil.
func (s *Server) Sandbox(id string) *Sandbox {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.sandboxes[id]
}

// Store is where snapshots for this server's sandboxes are made, so that equal
// contents are kept once.
func (s *Server) Store() *vfs.Store { return s.store }

// ID returns the sandbox's id.
func (sb *Sandbox) ID() string { return sb.id }

// URL returns the inner origin, where the sandbox's code runs.
func (sb *Sandbox) URL() string { return sb.origin }

// OuterURL returns the address to embed: an iframe with this src in an allowed
// embedder's page runs the sandbox.
func (sb *Sandbox) OuterURL() string { return sb.server.outerOrigin + "/" + sb.id }

// HostURL returns the address of the sandbox's host page.
func (sb *Sandbox) HostURL() string {
	return sb.server.config.origin("localhost") + "/sandboxes/" + sb.id
}

// granted lists the flags and permissions that the sandbox was granted. It is never nil.
func (v version) granted() []string {
	return append(slices.Clone(v.grants.Flags), v.grants.Permissions...)
}

// Revision returns the number of the newest revision, from 1.
func (sb *Sandbox) Revision() int64 {
	v, _ := sb.now()
	return v.revision
}

// SetFiles makes a new revision with these files and returns its number. Any
// load that starts after SetFiles has returned sees it or a newer one, be it of a
// document or of anything that a document loads. For that it may have to wait for
// a browser that has stopped answering, a second at most. It fails with a
// [*vfs.LimitError] when there is no room ([Limits.StoreBytes]), or with [ErrRemoved],
// and then the sandbox is as it was.
func (sb *Sandbox) SetFiles(files *vfs.Snapshot) (int64, error) {
	return sb.change(func(now version) (version, protocol.Step, string, error) {
		text := describe(vfs.Compare(now.files, files))
		now.files = files
		return now, protocol.StepFiles, text, nil
	})
}

// SetPolicy makes a new revision with this policy and returns its number; nil
// blocks everything. Documents that are already loaded keep the browser's part
// of their old policy; the worker's part has changed when SetPolicy returns, for
// which it may wait as [Sandbox.SetFiles] does.
func (sb *Sandbox) SetPolicy(policy *rules.Policy) (int64, error) {
	return sb.change(func(now version) (version, protocol.Step, string, error) {
		now.fire = firewall.New(policy)
		return now, protocol.StepPolicy, "policy " + policyName(policy), nil
	})
}

// Refused records that a change was refused, and why. What runs runs on.
func (sb *Sandbox) Refused(err error) {
	sb.lines.warn("a change was refused; the sandbox keeps what it has", "error", err)
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepRefused, Text: err.Error()}
	})
}

// LeftOut records that the source of the files has something that the sandbox has
// not, and why.
func (sb *Sandbox) LeftOut(err error) {
	sb.lines.warn("left out of the sandbox", "error", err)
	sb.log.append(sb.Revision(), func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: protocol.StepLeftOut, Text: err.Error()}
	})
}

// change makes the next revision of what the function returns, and waits until
// nobody answers from an older one any more. Or it fails and leaves everything as
// it was. In a sandbox that is no more it fails with [ErrRemoved].
func (sb *Sandbox) change(next func(version) (version, protocol.Step, string, error)) (int64, error) {
	revision, err := sb.replace(next)
	if err == nil {
		sb.leases.wait(revision, sb.alive.Done())
	}
	return revision, err
}

func (sb *Sandbox) replace(next func(version) (version, protocol.Step, string, error)) (int64, error) {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	if sb.leaving || sb.alive.Err() != nil {
		return 0, fmt.Errorf("server: sandbox %s: %w", sb.id, ErrRemoved)
	}
	v, step, text, err := next(sb.version)
	if err != nil {
		return 0, err
	}
	v.revision++
	if v.files != sb.version.files {
		if err := sb.server.store.Hold(v.files); err != nil {
			return 0, err
		}
		v.packed = sb.version.packed.next(v.files, v.revision)
		sb.outgoing.keep(sb.version.files)
	}
	if v.fire != sb.version.fire {
		v.withoutWorker = nil
		if policy := v.fire.Policy().WithoutWorker(); policy != nil {
			v.withoutWorker = firewall.New(policy)
		}
	}
	v.state = nil // or each version would keep the one before
	made := v
	v.state = sync.OnceValues(func() ([]byte, error) { return sb.writeState(made) })
	sb.version = v
	sb.leases.begin(v.revision)
	close(sb.changed)
	sb.changed = make(chan struct{})
	sb.log.append(v.revision, func(h protocol.Head) any {
		h.Source = protocol.SourceServer
		return protocol.LifecycleEvent{Head: h, Step: step, Text: text}
	})
	sb.server.metrics.revisions.WithLabelValues(string(step)).Inc()
	sb.server.lines.info("revision", "sandbox", sb.id, "revision", v.revision, "step", step, "text", text)
	return v.revision, nil
}

// release ends the holding of the files, of a sandbox that has been removed.
func (sb *Sandbox) release() {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	sb.server.store.Release(sb.version.files)
	sb.outgoing.end()
}

// policyOf names what a version's policy asks of the browser.
func (sb *Sandbox) policyOf(v version) string {
	return policyHash(v.fire.Headers(firewall.WorkerScript, sb.site(v)), v.fire.Policy().Containment)
}

// writeScript writes the worker's script, which is served with the version's
// policy. It is as large as thousands of files' names, and asked for seldom, so
// nobody keeps it.
func (sb *Sandbox) writeScript(v version) ([]byte, error) {
	refusal := flatten((&firewall.Firewall{}).Headers(firewall.Refusal, sb.site(v)))
	return sb.server.worker.Script(sb.secret, sb.key, sb.incarnation, sb.policyOf(v), refusal)
}

// writeState writes what the worker fetches.
func (sb *Sandbox) writeState(v version) ([]byte, error) {
	all := sw.State{
		Protocol:     protocol.Version,
		Revision:     v.revision,
		Policy:       sb.policyOf(v),
		Headers:      flatten(v.fire.Headers(firewall.Inner, sb.site(v))),
		Client:       sb.inlineClient(v),
		KeepsAnswers: v.baseline != nil, // [firewall.OwnFiles] has 'self' in each directive
		Program:      v.fire.Policy().Program(),
		Fallback:     sb.fallback,
		Waits:        sb.app != nil && !sb.app.tools && v.files.Len() == 0,
		Files:        make([]sw.File, 0, v.files.Len()),
	}
	for entry := range v.files.Entries() {
		all.Files = append(all.Files, sw.File{Path: entry.Path, Hash: entry.Hash.String(), Size: entry.Size, Type: entry.Type})
	}
	state, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("writing the state of revision %d: %w", v.revision, err)
	}
	return state, nil
}

// inlineClient returns the beginning of the client script, or "" if documents must load it.
func (sb *Sandbox) inlineClient(v version) string {
	if !slices.Contains(v.fire.Policy().Scripts, rules.ScriptInline) {
		return ""
	}
	return sb.server.innerPages.ClientHead(sb.server.outerOrigin, v.granted())
}

// policyHash names a header set and what the browser must enforce of it: a worker
// with another name is replaced, for which the boot page runs again and looks.
func policyHash(h http.Header, demanded rules.Containment) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", demanded)
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(sum, "%s: %q\n", name, h[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (sb *Sandbox) site(v version) firewall.Site {
	site := sb.server.site()
	site.Inner, site.Grants, site.Baseline, site.Reports = sb.origin, v.grants, v.baseline, sb.origin+protocol.ReportPath
	return site
}

// now returns the current version and a channel that is closed by the next one.
func (sb *Sandbox) now() (version, <-chan struct{}) {
	sb.mu.RLock()
	defer sb.mu.RUnlock()
	return sb.version, sb.changed
}

// flatten: policy headers have one value each.
func flatten(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name := range h {
		m[name] = h.Get(name)
	}
	return m
}

func policyName(p *rules.Policy) string {
	if p == nil || p.Name == "" {
		return "block all"
	}
	return p.Name
}
