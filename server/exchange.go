package server

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// An exchange is what is counted and logged of one request. Nothing of that is
// the client's word: not the address, not the method.
type exchange struct {
	http.ResponseWriter
	server *Server
	began  time.Time
	where  place
	status int    // 0 until the answer begins
	code   string // of a refusal
	stream bool

	// What the request is about, as [exchange.match] finds it.
	subject
	params   map[string]string // by the names in the row's path
	allow    []string          // methods of rows that the request's method missed
	isolated *running          // whose document is asked for
}

type exchangeKey struct{}

// exchange begins one: from here on it is the request's writer.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) (*exchange, *http.Request) {
	x := &exchange{ResponseWriter: w, server: s, began: time.Now()}
	return x, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
}

// exchangeOf returns the request's exchange. Each that came through ServeHTTP has one.
func exchangeOf(r *http.Request) *exchange {
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	return x
}

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= 200 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(b)
}

// Unwrap is what [http.ResponseController] looks for.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// class is whose host was asked, or "stream".
func (x *exchange) class() string {
	if x.stream {
		return "stream"
	}
	return x.server.tables[x.where].name
}

// end counts and logs the exchange.
func (x *exchange) end() {
	status, took := max(x.status, http.StatusOK), time.Since(x.began)
	m := x.server.metrics
	m.requests.WithLabelValues(x.class(), strconv.Itoa(status)).Observe(took.Seconds())
	if x.code != "" {
		m.refused.WithLabelValues(x.code).Inc()
	}
	log, ctx := x.server.config.Log, context.Background()
	if !log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := []slog.Attr{slog.String("class", x.class()), slog.Int("status", status), slog.Duration("duration", took)}
	if x.code != "" {
		attributes = append(attributes, slog.String("code", x.code))
	}
	if x.sandbox != nil {
		attributes = append(attributes, slog.String("sandbox", x.sandbox.ID()))
	}
	log.LogAttrs(ctx, slog.LevelDebug, "request", attributes...)
}
