package server

import (
	"encoding/json"
	"time"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// Limits that tests count with.
const (
	maxText          = sandbox.MaxText
	logLength        = sandbox.LogLength
	leaseTime        = sandbox.LeaseTime
	leastIdle        = sandbox.LeastIdle
	outgoingTime     = sandbox.OutgoingTime
	preloadFileLimit = sandbox.PreloadFileLimit
	preloadLimit     = sandbox.PreloadLimit
	muffledFor       = 5 * time.Second // the time until the log says how many lines it has left out
)

var lifecycleLines = sandbox.LifecycleLines

// logged returns the events of a sandbox's log after the given id.
func logged(sb *Sandbox, after int64) (all []entry) {
	reader, err := sb.Follow(EventFilter{}, after)
	if err != nil {
		panic(err) // the filter and the id are ours
	}
	for {
		events, _ := reader.Read()
		if len(events) == 0 {
			return all
		}
		all = append(all, events...)
	}
}

// say adds n console lines to a sandbox's log.
func (sb *Sandbox) say(n int, text string) {
	line, err := json.Marshal(map[string]string{"kind": "console", "level": "log", "text": text})
	if err != nil {
		panic(err)
	}
	for range n {
		sb.RecordReports("", []json.RawMessage{line}, 0)
	}
}

// policyOf returns a sandbox's policy.
func policyOf(sb *Sandbox) *rules.Policy {
	policy, _ := sb.Policy()
	return policy
}

func filesOf(sb *Sandbox) *vfs.Snapshot {
	files, _ := sb.Files()
	return files
}
