package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sandbox"
)

const metricsPath = "/metrics"

// metrics are what a server counts, in its own registry. No label has a value that outside
// code can choose, such as an address, an id, or a text of a page. docs/metrics.md lists the
// metrics, and a test compares the list with this type.
type metrics struct {
	registry *prometheus.Registry

	created, full prometheus.Counter
	ended         *prometheus.CounterVec           // by reason
	revisions     *prometheus.CounterVec           // by step
	events        map[[2]string]prometheus.Counter // by type and action
	dropped       *prometheus.CounterVec           // by cause
	refused       *prometheus.CounterVec           // by code
	requests      *prometheus.HistogramVec         // by class and status
}

// Why events were dropped.
const (
	droppedBrowser = "browser"
	droppedMissed  = "missed"
)

// mostDropped bounds how many dropped events one batch can add to the count, because browsers
// report that number.
const mostDropped = 1_000_000

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), events: map[[2]string]prometheus.Counter{}}
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	// Counters with known label values exist from the start, with the value 0.
	counters := func(name, help, label string, values ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		m.registry.MustRegister(c)
		for _, value := range values {
			c.WithLabelValues(value)
		}
		return c
	}
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}

	gauge("bellglass_sandboxes", "Sandboxes that there are now.", func() float64 { return float64(s.registry.Len()) })
	m.created = counter("bellglass_sandboxes_created_total", "Sandboxes that have been made.")
	m.full = counter("bellglass_sandboxes_refused_total", "Sandboxes that were not made, because there were too many.")
	m.ended = counters("bellglass_sandboxes_ended_total", "Sandboxes that have ended, by reason.", "reason",
		string(sandbox.EndedRemoved), string(sandbox.EndedIdle), string(sandbox.EndedExpired), string(sandbox.EndedRoom), string(sandbox.EndedReplaced), string(sandbox.EndedClosed))
	m.revisions = counters("bellglass_revisions_total", "Revisions of sandboxes, by what made them; created is the first one.", "step",
		string(protocol.StepCreated), string(protocol.StepFiles), string(protocol.StepPolicy))
	m.countEvents()
	m.dropped = counters("bellglass_events_dropped_total", "Events that were dropped, by cause.", "cause", droppedBrowser, droppedMissed)
	gauge("bellglass_store_bytes", "Memory of all sandboxes' files together, as it counts against the limit.", func() float64 {
		_, bytes := s.store.Usage()
		return float64(bytes)
	})
	gauge("bellglass_event_log_bytes", "Memory of all event logs together.", func() float64 { return float64(s.registry.LogBytes()) })
	gauge("bellglass_body_bytes", "Memory of all request bodies that are being received or read.", func() float64 { return float64(s.bodies.used.Load()) })
	gauge("bellglass_streams", "Streams of events and of changes that are open.", func() float64 { return float64(s.streams.used.Load()) })
	m.refused = counters("bellglass_requests_refused_total", "Requests that were refused, by the code that the answer had.", "code")
	m.requests = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "bellglass_request_duration_seconds", Help: "Requests that were answered, by whose host was asked and the status; streams are a class of their own.",
		Buckets: prometheus.DefBuckets,
	}, []string{"class", "status"})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "bellglass_build_info", Help: "1, with the version."}, []string{"version"})
	// A label that is not valid UTF-8 would panic.
	build.WithLabelValues(strings.ToValidUTF8(s.config.Version, "�")).Set(1)
	m.registry.MustRegister(m.requests, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// countEvents makes a counter for each type of event, and for each action if the type has
// actions.
func (m *metrics) countEvents() {
	events := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "bellglass_events_total", Help: "Events in the sandboxes' logs, by type; verdicts and violations by action, too.",
	}, []string{"type", "action"})
	m.registry.MustRegister(events)
	actions := map[string][]string{
		protocol.VerdictEvent{}.Type.Literal():   sandbox.EventWords("action"),
		protocol.ViolationEvent{}.Type.Literal(): sandbox.EventWords("action"),
	}
	for _, kind := range sandbox.EventWords("type") {
		if actions[kind] == nil {
			m.events[[2]string{kind, ""}] = events.WithLabelValues(kind, "")
		}
		for _, action := range actions[kind] {
			m.events[[2]string{kind, action}] = events.WithLabelValues(kind, action)
		}
	}
}

// An observer counts what happens to sandboxes, and removes ended ones from those that wait
// for an app.
type observer struct{ server *Server }

func (o observer) Created() { o.server.metrics.created.Inc() }
func (o observer) Refused() { o.server.metrics.full.Inc() }

func (o observer) Ended(sb *sandbox.Sandbox, reason sandbox.Reason) {
	o.server.metrics.ended.WithLabelValues(string(reason)).Inc()
	o.server.arrived(servedAs(sb))
}

func (o observer) Revised(step protocol.Step) {
	o.server.metrics.revisions.WithLabelValues(string(step)).Inc()
}

func (o observer) Logged(kind, action string) {
	if counter := o.server.metrics.events[[2]string{kind, action}]; counter != nil {
		counter.Inc()
	}
}

func (o observer) Dropped(count int) {
	o.server.metrics.dropped.WithLabelValues(droppedBrowser).Add(float64(min(count, mostDropped)))
}

func (o observer) Missed(count int) {
	o.server.metrics.dropped.WithLabelValues(droppedMissed).Add(float64(count))
}

// Metrics returns the server's metrics, for programs that serve their own registry.
func (s *Server) Metrics() prometheus.Gatherer { return s.metrics.registry }

// MetricsHandler answers every request with the metrics, in Prometheus's text format. Serve it
// at an address that only the operator's programs can reach. It refuses requests of pages,
// including pages whose host name resolves to that address (DNS rebinding).
func (s *Server) MetricsHandler() http.Handler {
	answer := promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{DisableCompression: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "none" {
			http.Error(w, "The metrics are for programs, not for pages.", http.StatusForbidden)
			return
		}
		answer.ServeHTTP(w, r)
	})
}

// getMetrics serves the metrics on the host page's origin. How busy a server is, and with
// what, concerns only its operator. If the host page needs a token, so do the metrics.
// Otherwise they are for clients on this machine, and not for pages of other origins.
func (s *Server) getMetrics(c echo.Context) error {
	if s.config.needsToken() {
		if err := s.checkCaller(c); err != nil {
			return err
		}
	} else if err := checkNeighbor(c.Request()); err != nil {
		return err
	}
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{DisableCompression: true}).ServeHTTP(c.Response(), c.Request())
	return nil
}

// checkNeighbor accepts only requests from this machine, and not those of other origins'
// pages.
func checkNeighbor(r *http.Request) error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	peer, addrErr := netip.ParseAddr(host)
	if err != nil || addrErr != nil || !peer.Unmap().IsLoopback() {
		return refuse(http.StatusForbidden, "metrics-local", "Only programs on the server's own machine can read the metrics here. Send the request from there, or serve the metrics at a separate address, with --metrics-addr (in Go, Server.MetricsHandler).")
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "none", "same-origin":
		return nil
	default:
		return refuse(http.StatusForbidden, "metrics-local", "Pages of another origin cannot read the metrics (Sec-Fetch-Site: %.20q).", site)
	}
}
