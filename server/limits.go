package server

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/sandbox"
)

// Limits bound how much of the machine hostile code and hostile clients can use, and so take
// from other sandboxes. In each field, zero stands for the default, and a negative value is
// rejected. docs/limits.md says what happens at each limit.
type Limits struct {
	// Limits are the limits of the sandboxes.
	sandbox.Limits

	// Streams is how many streams of events and of changes may be open in total.
	// SandboxStreams is how many of them one sandbox may have. A viewer has two. Default 4,096
	// and 256.
	Streams, SandboxStreams int
	// Connections is how many connections a [Server.Serve] keeps open. Default 8,192. Beyond
	// it, the connection that has waited longest for a request is closed.
	Connections int

	// Verdicts bounds the events that the workers of a sandbox log. Reports bounds those of
	// its pages and, separately, the browsers' reports about its pages. An event costs 1
	// token, and 1 more for each KiB. Default 2,000/s after a burst of 8,000, and 1,000/s
	// after a burst of 4,000.
	Verdicts, Reports Rate
	// Requests bounds the requests of a sandbox's workers to the server. A request costs 1
	// token. A state costs 1 more for each MiB of contents that come with it. Default 500/s
	// after a burst of 2,000.
	Requests Rate
	// API bounds the requests to the HTTP API, for each token. Default 200/s after a burst of
	// 1,000.
	API Rate

	// BodyBytes is the memory of all request bodies that are being received or decoded. One
	// sandbox may use a quarter of it. Default 64 MiB.
	BodyBytes int64

	// UploadBytes is the memory of all request bodies that the HTTP API is receiving or
	// decoding. Default 256 MiB.
	UploadBytes int64

	// HeaderBytes is the memory of all request headers that are being received and have more
	// than 64 KiB, such as those of browsers full of cookies. Default 64 MiB. A header has at
	// most 1 MiB.
	HeaderBytes int64

	// HeaderTime is how long a client of [Server.Serve] may take to send a request's header.
	// Default 10 s. BodyTime is the same for the body. Default 30 s. WriteTime is how long it
	// may take to receive the next 64 KiB of a response. Default 30 s.
	HeaderTime, BodyTime, WriteTime time.Duration
	// EndTime is how long requests in progress may continue when [Server.Serve] ends. Default
	// 10 s.
	EndTime time.Duration
}

func (l *Limits) setDefaults() error {
	err := errors.Join(
		l.Limits.SetDefaults(),
		sandbox.OrDefault(&l.Streams, 4_096, "Streams"),
		sandbox.OrDefault(&l.SandboxStreams, 256, "SandboxStreams"),
		sandbox.OrDefault(&l.Connections, 8_192, "Connections"),
		l.Verdicts.SetDefaults(Rate{PerSecond: 2_000, Burst: 8_000}, "Verdicts"),
		l.Reports.SetDefaults(Rate{PerSecond: 1_000, Burst: 4_000}, "Reports"),
		l.Requests.SetDefaults(Rate{PerSecond: 500, Burst: 2_000}, "Requests"),
		l.API.SetDefaults(Rate{PerSecond: 200, Burst: 1_000}, "API"),
		sandbox.OrDefault(&l.BodyBytes, 64<<20, "BodyBytes"),
		sandbox.OrDefault(&l.UploadBytes, 256<<20, "UploadBytes"),
		sandbox.OrDefault(&l.HeaderBytes, 64<<20, "HeaderBytes"),
		sandbox.OrDefault(&l.HeaderTime, 10*time.Second, "HeaderTime"),
		sandbox.OrDefault(&l.BodyTime, 30*time.Second, "BodyTime"),
		sandbox.OrDefault(&l.WriteTime, 30*time.Second, "WriteTime"),
		sandbox.OrDefault(&l.EndTime, 10*time.Second, "EndTime"),
	)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}

// An allowance is a shared budget with a fixed maximum.
type allowance struct {
	max  int64
	used atomic.Int64
}

// take takes n from the budget and returns true, or takes nothing and returns false. The
// caller must give back what it has taken.
func (a *allowance) take(n int64) bool {
	if a.used.Add(n) > a.max {
		a.used.Add(-n)
		return false
	}
	return true
}

func (a *allowance) give(n int64) { a.used.Add(-n) }
