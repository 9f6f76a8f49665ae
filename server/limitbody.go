package server

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"github.com/bellglass/bellglass/server/api"
)

// A bodyLimit limits the body of a path. A JSON value of 2 bytes can need 200 bytes of memory,
// so values are counted too.
type bodyLimit struct {
	bytes  int
	values int
}

const (
	bodyStep = 64 << 10 // bytes of memory that a body takes at first
	bodyWait = time.Second

	maxEvents = 1_000 // in one batch; the worker and the outer frame send at most 200
)

// A batch is a body of several events.
type batch interface{ events() int }

// readBatch reads a batch of events and charges the bucket for it: 1 token for each event, and
// 1 for each KiB. It accepts the whole batch or nothing.
func (s *Server) readBatch(c echo.Context, limit bodyLimit, bucket *rate.Limiter, into batch) error {
	if bucket.TokensAt(time.Now()) < 1 {
		// The cost is not known yet, and it is not worth reading the body to learn it.
		return refuseFlood(c, bucket, max(1, bucket.Burst()/4))
	}
	size, err := s.readJSON(c, limit, bucket, into)
	if err != nil {
		return err
	}
	if n := into.events(); n > maxEvents {
		// The batch will always be too large, so it is charged for having been read.
		bucket.AllowN(time.Now(), min(size>>10, bucket.Burst()))
		return refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The batch contains %d events. Send at most %d.", n, maxEvents)
	}
	return charge(c, bucket, into.events()+size>>10)
}

// readJSON decodes one JSON value within the limit and returns its size in bytes. Unless the
// bucket is nil, it must hold as many tokens as the size costs.
func (s *Server) readJSON(c echo.Context, limit bodyLimit, bucket *rate.Limiter, into any) (size int, err error) {
	body := body{of: []*allowance{&sandboxOf(c.Request()).bodies, &s.bodies}}
	defer body.free()
	if err := body.read(c.Response(), c.Request(), limit.bytes); err != nil {
		return 0, err
	}
	size = len(body.bytes)
	if cost := size >> 10; bucket != nil && bucket.TokensAt(time.Now()) < float64(min(cost, bucket.Burst())) {
		return 0, refuseFlood(c, bucket, cost)
	}
	if values, _ := api.MeasureJSON(body.bytes); values > limit.values {
		return 0, refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The body contains more than %d values.", limit.values)
	}
	// A decoded body is larger than the body, so only a few are decoded at once.
	s.decoding <- struct{}{}
	defer func() { <-s.decoding }()
	if err := json.Unmarshal(body.bytes, into); err != nil {
		return 0, refuse(http.StatusBadRequest, "bad-json", "The body is not valid JSON for this path: %v.", err)
	}
	return size, nil
}

// A body takes memory from each of the allowances as it grows, so a client can only occupy
// memory that it sends bytes for.
type body struct {
	bytes []byte
	of    []*allowance
	taken int64
}

func (b *body) read(w http.ResponseWriter, r *http.Request, limit int) error {
	tooLarge := refuse(http.StatusRequestEntityTooLarge, "body-too-large", "The body is larger than %d bytes, which is the limit.", limit)
	length := r.ContentLength
	if length > int64(limit) {
		return tooLarge
	}
	if !b.grow(min(limit, bodyStep)) {
		return busy(w)
	}
	for {
		if len(b.bytes) == cap(b.bytes) && len(b.bytes) < limit && !b.grow(min(limit, 2*cap(b.bytes))) {
			return busy(w)
		}
		// The buffer has reached the limit, so one more byte is too much.
		var over [1]byte
		room := b.bytes[len(b.bytes):cap(b.bytes)]
		if len(room) == 0 {
			room = over[:]
		}
		n, err := r.Body.Read(room)
		if n > 0 && len(b.bytes) == cap(b.bytes) {
			return tooLarge
		}
		b.bytes = b.bytes[:len(b.bytes)+n]
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return refuse(http.StatusRequestTimeout, "body-timeout", "The body did not arrive in time. Send it again, over a faster connection if you can.")
		case err != nil:
			return refuse(http.StatusBadRequest, "body", "The body could not be read: %v.", err)
		}
	}
}

// grow grows the buffer to size bytes. It reports whether there was memory for that.
func (b *body) grow(size int) bool {
	more := int64(size - cap(b.bytes))
	for i, allowance := range b.of {
		if !allowance.take(more) {
			for _, earlier := range b.of[:i] {
				earlier.give(more)
			}
			return false
		}
	}
	b.taken += more
	b.bytes = append(make([]byte, 0, size), b.bytes...)
	return true
}

func (b *body) free() {
	for _, allowance := range b.of {
		allowance.give(b.taken)
	}
}

func busy(w http.ResponseWriter) error {
	return refuseFor(w, http.StatusServiceUnavailable, bodyWait, "busy", "The server is receiving too many bytes at once. Send the request again after the number of seconds in Retry-After.")
}
