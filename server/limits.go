package server

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what hostile code and hostile clients can take of the machine,
// and so of the other sandboxes. In each field zero stands for the default and
// a negative value is refused. docs/limits.md says what happens at each.
type Limits struct {
	// Sandboxes is how many there may be at once. Default 10,000. At the limit
	// [Server.Create] makes room by ending the sandbox that nobody has viewed
	// for the longest time, a minute at least, or fails with [ErrFull].
	Sandboxes int
	// Idle is how long a sandbox is kept that nobody views and that no request
	// names; see [Spec.Keep]. Default 24 hours, so that a tab left overnight
	// finds its sandbox.
	Idle time.Duration

	// Streams is how many streams of events and of changes may be open in all,
	// SandboxStreams how many of one sandbox. A viewer has two. Default 4,096
	// and 256.
	Streams, SandboxStreams int
	// Connections is how many a [Server.Serve] holds. Default 8,192. Beyond it
	// the one that has waited longest for a request is closed.
	Connections int

	// Verdicts bounds what the workers of a sandbox log, Reports what its pages do
	// and, apart from those, what browsers report of them. An event costs one, and one
	// more for each KiB. Default 2,000 a second after 8,000 at once, and 1,000 after
	// 4,000.
	Verdicts, Reports Rate
	// Requests bounds what the workers of a sandbox ask the server. A request costs
	// one, and a state one more for each MiB of contents that come with it. Default
	// 500 a second after 2,000 at once.
	Requests Rate
	// API bounds the requests to the HTTP API of each token. Default 200 a second
	// after 1,000 at once.
	API Rate
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
	// BodyBytes is the memory of all request bodies together that are being
	// received or read; a sandbox has a quarter of it. Default 64 MiB.
	BodyBytes int64

	// UploadBytes is the memory of all request bodies together that the HTTP API is
	// receiving or reading. Default 256 MiB.
	UploadBytes int64

	// HeaderBytes is the memory of all requests' headers together that are being
	// received and have more than 64 KiB, as those of browsers full of cookies.
	// Default 64 MiB. A header has at most 1 MiB.
	HeaderBytes int64

	// HeaderTime is how long a client of [Server.Serve] may take to send a
	// request's header, default 10 s; BodyTime its body, default 30 s; WriteTime
	// to take the next 64 KiB of an answer, default 30 s.
	HeaderTime, BodyTime, WriteTime time.Duration
	// EndTime is how long requests that are being answered have when
	// [Server.Serve] ends, default 10 s.
	EndTime time.Duration
}

// A Rate is what a token bucket allows: Burst at once, and PerSecond from then on.
type Rate struct {
	PerSecond float64
	Burst     int
}

func (r Rate) limiter() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.PerSecond), r.Burst) }

// lifecycleLines bounds what is logged of the lives of all sandboxes together.
var lifecycleLines = Rate{PerSecond: 100, Burst: 1_000}

func (l *Limits) setDefaults() error {
	return errors.Join(
		orDefault(&l.Sandboxes, 10_000, "Sandboxes"),
		orDefault(&l.Idle, 24*time.Hour, "Idle"),
		orDefault(&l.Streams, 4_096, "Streams"),
		orDefault(&l.SandboxStreams, 256, "SandboxStreams"),
		orDefault(&l.Connections, 8_192, "Connections"),
		l.Verdicts.setDefaults(Rate{2_000, 8_000}, "Verdicts"),
		l.Reports.setDefaults(Rate{1_000, 4_000}, "Reports"),
		l.Requests.setDefaults(Rate{500, 2_000}, "Requests"),
		l.API.setDefaults(Rate{200, 1_000}, "API"),
		l.LogLines.setDefaults(Rate{5, 100}, "LogLines"),
		orDefault(&l.Executions, 256, "Executions"),
		orDefault(&l.ExecutionsAtOnce, 16, "ExecutionsAtOnce"),
		orDefault(&l.ExecutionTime, 5*time.Minute, "ExecutionTime"),
		orDefault(&l.ExecutionBytes, 1<<20, "ExecutionBytes"),
		orDefault(&l.StoreBytes, 1<<30, "StoreBytes"),
		orDefault(&l.LogBytes, 256<<20, "LogBytes"),
		orDefault(&l.BodyBytes, 64<<20, "BodyBytes"),
		orDefault(&l.UploadBytes, 256<<20, "UploadBytes"),
		orDefault(&l.HeaderBytes, 64<<20, "HeaderBytes"),
		orDefault(&l.HeaderTime, 10*time.Second, "HeaderTime"),
		orDefault(&l.BodyTime, 30*time.Second, "BodyTime"),
		orDefault(&l.WriteTime, 30*time.Second, "WriteTime"),
		orDefault(&l.EndTime, 10*time.Second, "EndTime"),
	)
}

func orDefault[N int | int64 | float64 | time.Duration](field *N, value N, name string) error {
	if *field < 0 {
		return fmt.Errorf("server: the limit %s is %v; it must be positive, or 0 for the default of %v", name, *field, value)
	}
	if *field == 0 {
		*field = value
	}
	return nil
}

func (r *Rate) setDefaults(value Rate, name string) error {
	return errors.Join(
		orDefault(&r.PerSecond, value.PerSecond, name+".PerSecond"),
		orDefault(&r.Burst, value.Burst, name+".Burst"),
	)
}

// An allowance is something of which there is so much and no more.
type allowance struct {
	max  int64
	used atomic.Int64
}

// take reports whether there was still so much; then it must be given back.
func (a *allowance) take(n int64) bool {
	if a.used.Add(n) > a.max {
		a.used.Add(-n)
		return false
	}
	return true
}

func (a *allowance) give(n int64) { a.used.Add(-n) }
