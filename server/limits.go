package server

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/bellglass/bellglass/sandbox"
)

// Limits bound what hostile code and hostile clients can take of the machine,
// and so of the other sandboxes. In each field zero stands for the default and
// a negative value is refused. docs/limits.md says what happens at each.
type Limits struct {
	// Limits are those of the sandboxes.
	sandbox.Limits

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
