package server

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"
)

// charge takes n tokens from a sandbox's bucket. If there are too few, it takes none and
// refuses with 429, and Retry-After says when there will be enough. A cost above the bucket's
// size counts as the whole bucket, because such a request could otherwise never succeed.
func charge(c echo.Context, bucket *rate.Limiter, n int) error {
	if bucket.AllowN(time.Now(), min(n, bucket.Burst())) {
		return nil
	}
	return refuseFlood(c, bucket, n)
}

func refuseFlood(c echo.Context, bucket *rate.Limiter, n int) error {
	sandboxOf(c.Request()).Warn("a flood was refused", "path", c.Request().URL.Path)
	return refuseFor(c.Response(), http.StatusTooManyRequests, untilThere(bucket, n), "too-many-requests",
		"This sandbox has exceeded its rate limit. Wait for the number of seconds in Retry-After.")
}

// untilThere returns the time until the bucket holds n tokens, or is full.
func untilThere(bucket *rate.Limiter, n int) time.Duration {
	missing := float64(min(n, bucket.Burst())) - bucket.TokensAt(time.Now())
	return time.Duration(missing / float64(bucket.Limit()) * float64(time.Second))
}

// metered charges each request of a worker 1 token.
func metered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := charge(c, sandboxOf(c.Request()).requests, 1); err != nil {
			return err
		}
		return next(c)
	}
}

// refuseFor refuses with a Retry-After, rounded up to whole seconds (RFC 9110, section
// 10.2.3).
func refuseFor(w http.ResponseWriter, status int, wait time.Duration, code, format string, args ...any) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	return refuse(status, code, "%s", fmt.Sprintf(format, args...))
}
