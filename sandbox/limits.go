package sandbox

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound how much of the machine hostile code can use, and so take from other sandboxes.
// In each field, zero stands for the default, and a negative value is rejected. docs/limits.md
// says what happens at each limit.
type Limits struct {
	// Sandboxes is how many sandboxes may exist at once. Default 10,000. At the limit
	// [Registry.Create] ends the sandbox that nobody has viewed for the longest time, if that
	// is at least 1 minute ([LeastIdle]). Otherwise it fails with [ErrFull].
	Sandboxes int
	// Idle is how long a sandbox is kept that nobody views and no request names. See
	// [Spec.Keep]. Default 24 hours, so that a tab left open overnight still finds its
	// sandbox.
	Idle time.Duration
	// LogLines bounds the lines that one sandbox writes to [Config.Log]. Default 5 lines/s
	// after a burst of 100. A further line says how many were left out.
	LogLines Rate

	// Executions is how many executions of one sandbox may wait or run together.
	// ExecutionsAtOnce is how many may run. Default 256 and 16.
	Executions, ExecutionsAtOnce int
	// ExecutionTime is the longest timeout of an execution. Default 5 minutes.
	ExecutionTime time.Duration
	// ExecutionBytes is the maximum size of an execution's code, of its arguments, and of its
	// result, each. Default 1 MiB.
	ExecutionBytes int64

	// StoreBytes is the memory of all sandboxes' files together, as [vfs.Store.Hold] counts
	// it: equal contents once, and for each file 512 bytes and its path. Default 1 GiB.
	//
	// It counts the files of the newest revisions, files that a change has replaced within the
	// last 2 s, and uploads in progress. A response that is still being sent can keep contents
	// in memory that no longer count.
	//
	// At the limit a change or a new sandbox fails with a [*vfs.LimitError] of the kind
	// [vfs.LimitStore], and nothing has changed.
	StoreBytes int64
	// LogBytes is the memory of all event logs together. Default 256 MiB.
	LogBytes int64
}

// SetDefaults sets fields that are zero to their defaults. It fails if a field is negative.
func (l *Limits) SetDefaults() error {
	return errors.Join(
		OrDefault(&l.Sandboxes, 10_000, "Sandboxes"),
		OrDefault(&l.Idle, 24*time.Hour, "Idle"),
		l.LogLines.SetDefaults(Rate{5, 100}, "LogLines"),
		OrDefault(&l.Executions, 256, "Executions"),
		OrDefault(&l.ExecutionsAtOnce, 16, "ExecutionsAtOnce"),
		OrDefault(&l.ExecutionTime, 5*time.Minute, "ExecutionTime"),
		OrDefault(&l.ExecutionBytes, 1<<20, "ExecutionBytes"),
		OrDefault(&l.StoreBytes, 1<<30, "StoreBytes"),
		OrDefault(&l.LogBytes, 256<<20, "LogBytes"),
	)
}

// OrDefault sets a limit that is zero to the value. It fails if the limit is negative.
func OrDefault[N int | int64 | float64 | time.Duration](field *N, value N, name string) error {
	if *field < 0 {
		return fmt.Errorf("the limit %s is %v; it must be positive, or 0 for the default of %v", name, *field, value)
	}
	if *field == 0 {
		*field = value
	}
	return nil
}

// A Rate is the size of a token bucket: a burst, and then so many per second.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limiter returns a full bucket.
func (r Rate) Limiter() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.PerSecond), r.Burst) }

// SetDefaults applies [OrDefault] to both fields.
func (r *Rate) SetDefaults(value Rate, name string) error {
	return errors.Join(
		OrDefault(&r.PerSecond, value.PerSecond, name+".PerSecond"),
		OrDefault(&r.Burst, value.Burst, name+".Burst"),
	)
}

// LifecycleLines bounds the log lines about the lives of all sandboxes together.
var LifecycleLines = Rate{PerSecond: 100, Burst: 1_000}
