package escaping

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/escape"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/netns"
)

type suite struct {
	known   *escape.Expectation
	engine  escape.Engine
	app     bool // the rows run under the policy of an MCP App
	lacks   bool // the browser gives no worker
	sample  bool // one row of each family is enough
	net     *canary.Network
	rows    []escape.Row
	number  map[string]int // of each row, for its tokens
	glasses map[string]*glass

	mu    sync.Mutex
	ends  map[string]end       // by token
	begun map[string]time.Time // by token: when its page was opened
	// Views with defenses that prefer the worker: how many there were, and which had
	// none.
	preferring int
	workerless []string
	// Controls that received no gesture, and were opened again.
	reopened []string
}

// newSuite starts the canary, and a server of the product for each column.
func newSuite(t *testing.T, b Browser, columns []column) *suite {
	t.Helper()
	resolver := netns.Resolver
	if err := netns.Isolated(); err != nil {
		t.Logf("NOT MEASURED: DNS and what goes to other ports and addresses, because %v", err)
		resolver = ""
	}
	s := &suite{
		engine: b.Engine, app: *app || b.Workerless, lacks: b.Workerless, sample: b.TLS, net: canary.StartNetwork(t, resolver),
		number: map[string]int{}, ends: map[string]end{}, begun: map[string]time.Time{}, glasses: map[string]*glass{},
	}
	var err error
	if s.known, err = escape.Known(b.Engine); err != nil {
		t.Fatal(err)
	}
	if *learn {
		s.known = &escape.Expectation{}
	}
	s.net.Host("allowed")
	s.net.Host("slow")
	for _, c := range columns {
		s.glasses[c.letter] = startGlass(t, b.TLS, c.adjust)
	}
	if s.rows, err = escape.Rows(); err != nil {
		t.Fatal(err)
	}
	for i, r := range s.rows {
		s.number[r.Name] = i + 1
		if _, isOpen := s.known.Leaks[r.Name]; isOpen && r.Without[s.engine] != "" {
			t.Errorf("the list of %s names %s, and the row says that not even its control arrives: %s", s.engine, r.Name, r.Without[s.engine])
		}
	}
	for _, name := range s.known.Names() {
		if s.number[name] == 0 {
			t.Errorf("the list of %s names %s, and there is no such row", s.engine, name)
		}
	}
	return s
}

// asking matches the rows of requests and frames.
var asking = regexp.MustCompile("^(fetch|frame)/")

// selected returns the rows that the flag selects and that suit the browser.
func (s *suite) selected(t *testing.T) []escape.Row {
	t.Helper()
	which, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	var rows []escape.Row
	for _, r := range s.rows {
		if which.MatchString(r.Name) && (!s.lacks || asking.MatchString(r.Name)) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no row matches %q", *only)
	}
	return rows
}

// proving leaves out the rows that prove nothing in this engine. They are a third of
// all, and take as long as the others.
func (s *suite) proving(t *testing.T, rows []escape.Row) []escape.Row {
	if s.sample {
		return s.oneOfEach(rows)
	}
	if *all || *learn || *only != "" {
		return rows
	}
	var rest []escape.Row
	var out []string
	for _, r := range rows {
		if s.proves(r) || r.Seldom {
			rest = append(rest, r)
		} else {
			out = append(out, r.Name)
		}
	}
	t.Logf("%d rows are not run, since they do not arrive without defenses either (-all runs them): %s", len(out), strings.Join(out, " "))
	return rest
}

// oneOfEach returns the first row of each family that proves something beside others.
func (s *suite) oneOfEach(rows []escape.Row) []escape.Row {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(rows), func(r escape.Row) bool {
		family, _, _ := strings.Cut(r.Name, "/")
		if _, isOpen := s.known.Leaks[r.Name]; isOpen || seen[family] || r.Apart || !s.proves(r) {
			return true
		}
		seen[family] = true
		return false
	})
}

// token is the name by which the canary knows a row in a column.
func (s *suite) token(r escape.Row, c column) string {
	return fmt.Sprintf("r%d%s", s.number[r.Name], c.letter)
}

// quiesce waits until the canary has seen everything.
func (s *suite) quiesce(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.net.Quiesce(ctx); err != nil {
		t.Error(err)
	}
}

// An end is what a page reports about a row: not whether anything got out, but whether
// the row did what it wanted.
type end struct{ Name, End, Text string }

// runAll runs several batches concurrently, because they mostly wait.
func (s *suite) runAll(t *testing.T, open Driver, all []escape.Batch, columns []column) {
	queue := make(chan escape.Batch)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for b := range queue {
				t.Run(b.Name, func(t *testing.T) { s.run(t, open, b, columns) })
			}
		})
	}
	for _, b := range all {
		queue <- b
	}
	close(queue)
	workers.Wait()
}

// run runs a batch with defenses. If there is a control, it then runs the batch without
// defenses, while the first pages are still open. So the attempts under defenses have
// had at least as much time as the control needed to arrive.
func (s *suite) run(t *testing.T, open Driver, b escape.Batch, columns []column) {
	var visits []*visit
	var tabs []Tab
	begin := func(c column) {
		v := s.glasses[c.letter].prepare(t, s.net, b, c.letter, s.number, s.app)
		v.undefended = c.letter == control.letter
		s.begins(v)
		visits, tabs = append(visits, v), append(tabs, open(t, v.url))
	}
	for _, c := range columns {
		begin(c)
	}
	for i, v := range visits {
		s.follow(t, b, v, tabs[i])
		s.count(b, v)
	}
	if s.glasses[control.letter] == nil {
		s.settle(b, columns[0])
		return
	}
	begin(control)
	undefended := visits[len(columns)]
	s.follow(t, b, undefended, tabs[len(columns)])
	if s.isNumb(b.Rows[0], undefended) {
		s.reopen(b)
		s.follow(t, b, undefended, open(t, undefended.url))
	}
	for _, r := range b.Rows {
		token := undefended.tokens[r.Name]
		if s.proves(r) && !s.await(s.patience(), hitOf(token)) && !*learn {
			t.Errorf("without defenses %s does not arrive, so it shows nothing (the page says %+v, and that it has received a gesture: %t); its sandbox's log ends with\n%s", r.Name, s.endOf(token), s.await(time.Second, said(undefended, "/felt")), undefended.log())
		}
		// What is known to get out may take its time.
		if leak, isOpen := s.known.Leaks[r.Name]; isOpen && !leak.Sometimes && !s.app {
			for _, v := range visits[:len(columns)] {
				s.await(patience, hitOf(v.tokens[r.Name]))
			}
		}
	}
}

func (s *suite) count(b escape.Batch, v *visit) {
	if !s.app {
		return
	}
	without := v.hadNoWorker()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.preferring++
	if without {
		s.workerless = append(s.workerless, b.Name)
	}
}

func (s *suite) begins(v *visit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, token := range v.tokens {
		s.begun[token] = time.Now()
	}
}

// unscripted are the rows of the families fetch and frame whose frame is a page of ours. With
// cross-origin-isolated, a document is in another agent cluster than such a page. It cannot script
// the page even without defenses.
var unscripted = []string{"frame/boot", "frame/client", "frame/hello", "frame/probe", "frame/reserved"}

// proves reports whether the row's control has to arrive.
func (s *suite) proves(r escape.Row) bool {
	return r.Without[s.engine] == "" && !s.known.Unproven[r.Name] && !(*isolated && slices.Contains(unscripted, r.Name))
}

// patience returns how long to wait for a control.
func (s *suite) patience() time.Duration {
	if *learn {
		return 5 * time.Second
	}
	return patience
}

// await reports whether such a hit arrives within the time.
func (s *suite) await(limit time.Duration, match func(*canary.Hit) bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_, err := s.net.WaitFor(ctx, match)
	return err == nil
}

// hitOf matches any sign of a token.
func hitOf(token string) func(*canary.Hit) bool {
	return func(h *canary.Hit) bool { return h.Token == token }
}

// said matches a signal of the page, with its whole body.
func said(v *visit, paths ...string) func(*canary.Hit) bool {
	return func(h *canary.Hit) bool {
		return h.Token == v.signal && h.Kind == "http" && slices.Contains(paths, h.Path) &&
			(h.Method == "GET" || h.Method == "POST" && strings.HasSuffix(string(h.Body), "]"))
	}
}

// follow makes the gesture of a page once the page is ready for it, and waits until the
// page reports that it is done. A page that navigates away cannot report that, and not
// every page can feel a gesture. For those, follow waits until the control arrives.
func (s *suite) follow(t *testing.T, b escape.Batch, v *visit, in Tab) {
	t.Helper()
	first := b.Rows[0]
	if first.Gesture != "" {
		s.gesture(t, first, v, in, v.undefended)
	}
	if first.Leaves || first.Gesture != "" && s.proves(first) {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	defer context.AfterFunc(in.Crashed(), cancel)()
	done, err := s.net.WaitFor(ctx, said(v, "/done"))
	if err != nil {
		ended := "crashed"
		switch {
		case in.Crashed().Err() != nil:
		case first.Gesture != "": // a dialog of the browser may cover the page
			ended = "silent"
		default:
			t.Fatalf("the page does not come to its end: %v; its sandbox's log ends with\n%s", err, v.log())
		}
		if len(b.Rows) > 1 {
			t.Errorf("the renderer ended, and with it what other rows of the page tried; which one did it must be alone")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ends[v.tokens[first.Name]] = end{End: ended}
		return
	}
	var ends []end
	if err := json.Unmarshal(done.Body, &ends); err != nil {
		t.Fatalf("the page says %q: %v", done.Body, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range ends {
		s.ends[v.tokens[b.Rows[i].Name]] = e
	}
}

// gesture makes the gesture once the page is ready, and repeats it until the page feels
// it: a browser drops input before it has painted a frame. In the control, the effect
// of the gesture counts as felt.
func (s *suite) gesture(t *testing.T, r escape.Row, v *visit, in Tab, undefended bool) {
	t.Helper()
	if !s.await(patience, said(v, "/ready", "/done")) {
		t.Fatal("the page does not come to be ready for its gesture")
	}
	felt := said(v, "/felt", "/done")
	if undefended && s.proves(r) {
		felt = hitOf(v.tokens[r.Name])
	}
	attempts := 60
	if !s.proves(r) || *learn {
		attempts = 3
	}
	for range attempts {
		in.Gesture(t, r.Gesture)
		if s.await(time.Second, felt) {
			return
		}
	}
}

// isNumb reports whether a control has received none of its gestures. That has been seen once,
// in Chromium, for a click: the driver came back from each of 60, and the two pages with
// defenses beside it had received theirs. At that time the tabs of all rows were in one window,
// where most are behind another; that is the supposed cause. A control only has to show that
// its attempt can arrive, so another page may show it.
func (s *suite) isNumb(r escape.Row, v *visit) bool {
	return r.Gesture != "" && s.proves(r) && s.net.Seen(v.tokens[r.Name]) == "" && !s.await(time.Second, said(v, "/felt"))
}

func (s *suite) reopen(b escape.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reopened = append(s.reopened, b.Name)
}

func (s *suite) endOf(token string) end {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ends[token]
}
