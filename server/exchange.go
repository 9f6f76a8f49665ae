package server

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// An exchange holds what is counted and logged about one request. The client controls none of
// these values: neither the address nor the method is among them.
type exchange struct {
	http.ResponseWriter
	server *Server
	began  time.Time
	where  hostKind
	status int    // 0 until the response begins
	code   string // of a refusal
	stream bool
	token  *apiToken // with which the request has authenticated, or nil

	// The match of the request; see [exchange.match].
	subject
	params   map[string]string // by the names in the row's path
	allow    []string          // methods of rows that match the request except for its method
	isolated *running          // the execution whose document is requested
}

type exchangeKey struct{}

// exchange begins an exchange. From here on it is the request's ResponseWriter.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) (*exchange, *http.Request) {
	x := &exchange{ResponseWriter: w, server: s, began: time.Now()}
	return x, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
}

// exchangeOf returns the request's exchange. Every request that passed through ServeHTTP has
// one.
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

// Unwrap makes [http.ResponseController] work.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// class returns the name of the request's host table, or "stream".
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
