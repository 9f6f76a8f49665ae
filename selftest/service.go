package selftest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/bellglass/bellglass/internal/page"
)

// Config is what a [Service] needs. All fields but Log are required.
type Config struct {
	Glass Glass
	// Version is the version of Bellglass.
	Version string
	// Script is selftest.ts and everything it imports, as one classic script.
	Script []byte
	Log    *slog.Logger
}

// A Service serves the paths below /selftest on the host page's origin. It is safe for
// concurrent use.
type Service struct {
	config Config
	page   *page.Page
	facts  Facts
	mux    *http.ServeMux

	mu      sync.Mutex
	current *Run // nil if there is no run
}

// Root is the path of the page. All paths below it belong to this package, too.
const Root = "/selftest"

// RunPath is the pattern of the path of a run's page. [Root] and RunPath are the paths of
// pages, which load frames. All other paths serve data.
const RunPath = runsPath + "{run}"

const runsPath = Root + "/runs/"

// New builds the page and returns a Service.
func New(config Config) (*Service, error) {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{config: config}
	p, err := makePlan(nil)
	if err != nil {
		return nil, err
	}
	s.facts = newFacts(config.Version, p)
	if s.page, err = newPage(config.Script); err != nil {
		return nil, err
	}
	s.routes()
	return s, nil
}

// Page returns the page, for the hashes of its script and style.
func (s *Service) Page() *page.Page { return s.page }

// Frames returns the sources from which the page of the run with the ID may load frames, apart
// from the outer frame's: those of the control's pages.
func (s *Service) Frames(id string) []string {
	if run := s.run(id); run != nil {
		return []string{run.plain.frames()}
	}
	return nil
}

// ErrBusy is returned if a run is already under way.
var ErrBusy = errors.New("a self-test is running already")

// Options configure a run. The zero value is what the page uses.
type Options struct {
	// Wait is how long a browser has to open the run's page. The default is one minute.
	Wait time.Duration
	// Limit is how long the run may take after that. The default is five minutes.
	Limit time.Duration
	// Only limits the run to techniques whose name, FAMILY/NAME, matches.
	Only *regexp.Regexp
}

// Start creates a run. There is one at a time; see [ErrBusy].
func (s *Service) Start(o Options) (*Run, error) {
	o.Wait, o.Limit = cmp.Or(o.Wait, time.Minute), cmp.Or(o.Limit, 5*time.Minute)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return nil, ErrBusy
	}
	run, err := newRun(s.config, o, s.ended)
	if err != nil {
		return nil, fmt.Errorf("starting a self-test: %w", err)
	}
	s.current = run
	run.unopened = time.AfterFunc(o.Wait, func() { run.abandon(EndedNoPage) })
	return run, nil
}

func (s *Service) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.unopened.Stop()
	s.current = nil
}

// run returns the run with the ID, or nil.
func (s *Service) run(id string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.id != id {
		return nil
	}
	return s.current
}

// Close ends the current run, if there is one.
func (s *Service) Close() {
	s.mu.Lock()
	run := s.current
	s.mu.Unlock()
	if run != nil {
		run.Cancel()
		<-run.Done()
	}
}

// ServeHTTP answers the paths from [Root] on. The caller has already set the policy headers.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Service) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("GET "+Root, s.getPage)
	s.mux.HandleFunc("GET "+runsPath+"{id}", s.getPage)
	s.mux.Handle("POST "+Root+"/runs", changes(s.postRuns))
	s.mux.Handle("GET "+runsPath+"{id}/orders", ownPage(s.getOrders))
	s.mux.Handle("POST "+runsPath+"{id}/frames", changes(s.postFrames))
	s.mux.Handle("POST "+runsPath+"{id}/cancel", changes(s.postCancel))
}

func (s *Service) getPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	data := Data{Facts: s.facts}
	if id := r.PathValue("id"); id != "" {
		// The page of a run that is over says so, and offers another run.
		run := s.run(id)
		data.Run, data.Over = id, run == nil
		if run != nil {
			data.Facts = newFacts(s.config.Version, run.plan)
		}
	}
	if err := s.page.Render(w, data); err != nil {
		s.config.Log.Debug("the self-test's page could not be written", "error", err)
	}
}

func (s *Service) postRuns(w http.ResponseWriter, r *http.Request) {
	run, err := s.Start(Options{})
	switch {
	case errors.Is(err, ErrBusy):
		problem(w, http.StatusConflict, "busy", "A self-test is running already, perhaps in another tab. Close that, or wait until it is over.")
	case err != nil:
		s.config.Log.Error("a self-test could not be started", "error", err)
		problem(w, http.StatusInternalServerError, "internal", "The test could not be started; the server's log says why.")
	default:
		answer(w, http.StatusCreated, map[string]string{"path": run.Path()})
	}
}

// getOrders drives the run: it sends orders to the page as server-sent events. When the page
// goes, the run ends.
func (s *Service) getOrders(w http.ResponseWriter, r *http.Request) {
	run := s.run(r.PathValue("id"))
	if run == nil {
		unknownRun(w)
		return
	}
	stream := http.NewResponseController(w)
	began := false
	err := run.drive(r.Context(), r.UserAgent(), func(o Order) {
		if !began {
			began = true
			w.Header().Set("Content-Type", "text/event-stream")
		}
		b, err := json.Marshal(o)
		if err != nil {
			s.config.Log.Error("an order of the self-test cannot be written", "error", err)
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", b)
		// An error means that the page is gone, which ends the request's context.
		stream.Flush()
	})
	if err != nil {
		problem(w, http.StatusConflict, "driven", "Another page drives this run already, or it has ended.")
	}
}

func (s *Service) postFrames(w http.ResponseWriter, r *http.Request) {
	var frame Frame
	run := s.run(r.PathValue("id"))
	if run == nil {
		unknownRun(w)
		return
	}
	if readJSON(w, r, &frame) {
		run.take(frame)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Service) postCancel(w http.ResponseWriter, r *http.Request) {
	run := s.run(r.PathValue("id"))
	if run == nil {
		unknownRun(w)
		return
	}
	run.Cancel()
	w.WriteHeader(http.StatusNoContent)
}

func unknownRun(w http.ResponseWriter) {
	problem(w, http.StatusNotFound, "unknown-run", "There is no such run. It is over, or the server was started anew.")
}
