package sandbox

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what hostile code can take of the machine, and so of the other sandboxes. In
// each field zero stands for the default and a negative value is refused. docs/limits.md says
// what happens at each.
type Limits struct {
	// Sandboxes is how many there may be at once. Default 10,000. At the limit
	// [Registry.Create] makes room by ending the sandbox that nobody has viewed
	// for the longest time, a minute at least, or fails with [ErrFull].
	Sandboxes int
	// Idle is how long a sandbox is kept that nobody views and that no request
	// names; see [Spec.Keep]. Default 24 hours, so that a tab left overnight
	// finds its sandbox.
	Idle time.Duration
	// LogLines bounds what one sandbox writes to [Config.Log]. Default 5 lines a
	// second after 100 at once. How many were left out is a line, too.
	LogLines Rate

	// Executions is how many of one sandbox may wait or run, ExecutionsAtOnce how
	// many run. Default 256 and 16.
	Executions, ExecutionsAtOnce int
	// ExecutionTime is the longest timeout of one. Default 5 minutes.
	ExecutionTime time.Duration
	// ExecutionBytes is the size of its code, of its arguments and of its result,
	// each. Default 1 MiB.
	ExecutionBytes int64

	// StoreBytes is the memory of all sandboxes' files together, as [vfs.Store.Hold]
	// counts: equal contents once, and each file 512 bytes and its path besides. It
	// counts the files of the newest revisions, those that a change has replaced within
	// the last two seconds, and what is being made of an upload. An answer that is still
	// being sent can keep a content in memory that does not count any more. At the
	// limit a change or a new sandbox fails with a [*vfs.LimitError] of the kind
	// [vfs.LimitStore], and nothing has changed. Default 1 GiB.
	StoreBytes int64
	// LogBytes is the memory of all event logs together. Default 256 MiB.
	LogBytes int64
}

// SetDefaults sets what is zero. It fails for a value below zero.
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

// OrDefault sets a limit that is zero to the value. It fails for one below zero.
func OrDefault[N int | int64 | float64 | time.Duration](field *N, value N, name string) error {
	if *field < 0 {
		return fmt.Errorf("the limit %s is %v; it must be positive, or 0 for the default of %v", name, *field, value)
	}
	if *field == 0 {
		*field = value
	}
	return nil
}

// A Rate is what a token bucket allows: Burst at once, and PerSecond from then on.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limiter returns a full bucket.
func (r Rate) Limiter() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.PerSecond), r.Burst) }

// SetDefaults is as [OrDefault].
func (r *Rate) SetDefaults(value Rate, name string) error {
	return errors.Join(
		OrDefault(&r.PerSecond, value.PerSecond, name+".PerSecond"),
		OrDefault(&r.Burst, value.Burst, name+".Burst"),
	)
}

// LifecycleLines bounds what is logged of the lives of all sandboxes together.
var LifecycleLines = Rate{PerSecond: 100, Burst: 1_000}
