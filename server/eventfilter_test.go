package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sandbox"
)

// told is an event as a client of the stream decodes it.
type told struct {
	ID                                int64
	Type, Action, Source, Level, Step string
	Text                              string
}

// naive decides independently, from the event's own JSON, whether it passes a filter.
func (e told) naive(query map[string]string) bool {
	if e.Type == "lifecycle" && (e.Step == "dropped" || e.Step == "ending" || e.Step == "removed") {
		return true
	}
	for name, has := range map[string]string{"type": e.Type, "action": e.Action, "source": e.Source, "level": e.Level} {
		if wanted, asked := query[name]; asked && !slices.Contains(strings.Split(wanted, ","), has) {
			return false
		}
	}
	return true
}

// readStream decodes server-sent events. place is the Last-Event-ID that a client then has.
func readStream(t *testing.T, text string) (all []told, place string) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		var data string
		for line := range strings.SplitSeq(block, "\n") {
			if id, is := strings.CutPrefix(line, "id: "); is {
				place = id
			}
			if text, is := strings.CutPrefix(line, "data: "); is {
				data += text
			}
		}
		if data == "" {
			continue
		}
		var e told
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if place != strconv.FormatInt(e.ID, 10) {
			t.Fatalf("the event %d has the place %s", e.ID, place)
		}
		all = append(all, e)
	}
	return all, place
}

// addAny adds random events of all kinds. The seed determines them.
func addAny(sb *Sandbox, n int, seed uint64) {
	draw := rand.New(rand.NewPCG(seed, 1))
	report := func(text string) { sb.RecordReports("", []json.RawMessage{[]byte(text)}, 0) }
	for range n {
		switch draw.IntN(6) {
		case 0:
			action := []protocol.Action{protocol.ActionAllow, protocol.ActionBlock}[draw.IntN(2)]
			sb.RecordVerdict(protocol.VerdictEvent{Verdict: protocol.Verdict{Action: action}}, "")
		case 1:
			sb.RecordLeaving("", protocol.ViolationReport{})
		case 2:
			report(`{"kind":"error","text":"error"}`)
		case 3:
			if draw.IntN(2) == 0 {
				sb.LeftOut(errors.New("a file"))
			} else {
				sb.RecordDropped(1, []protocol.Source{protocol.SourcePage, protocol.SourceWorker, protocol.SourceBrowser}[draw.IntN(3)])
			}
		default:
			levels := sandbox.EventWords("level")
			report(`{"kind":"console","level":"` + levels[draw.IntN(len(levels))] + `","text":"x"}`)
		}
	}
}

var filterRows = []map[string]string{
	{},
	{"type": "verdict"},
	{"type": "verdict,violation", "action": "block"},
	{"action": "allow"},
	{"source": "worker,outer"},
	{"source": "server", "type": "lifecycle"},
	{"level": "warn,error"},
	{"type": "console,error", "source": "page", "level": "debug"},
	{"type": "error", "action": "block"}, // no event has both
}

func queryText(query map[string]string) string {
	text := ""
	for name, value := range query {
		text += "&" + name + "=" + value
	}
	return text
}

// With each filter, a stream sends exactly the events that a plain look at each event selects.
// A client that comes back with any id gets the rest, even with the id of an event that was
// left out.
func TestEventsAreFiltered(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		const n = 60
		addAny(sandbox, n-1, 7) // after the event of the creation
		get := func(query string) ([]told, string) {
			r := sandbox.as("GET", "/events", "")
			r.URL.RawQuery += query
			st := openStream(t, s, r)
			if status := st.answered(); status != 200 {
				t.Fatalf("%s: %d", query, status)
			}
			pass(heartbeat)
			all, place := readStream(t, st.text())
			st.cancel()
			<-st.ended
			return all, place
		}
		whole, _ := get("")
		if len(whole) != n {
			t.Fatalf("without a filter there are %d events, want %d", len(whole), n)
		}
		for _, row := range filterRows {
			query, some := queryText(row), 0
			for after := range n {
				got, place := get(query + "&after=" + strconv.Itoa(after))
				var want []told
				for _, e := range whole {
					if e.ID > int64(after) && e.naive(row) {
						want = append(want, e)
					}
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s after %d tells\n%v, want\n%v", query, after, got, want)
				}
				if place != "" && place != strconv.Itoa(n) {
					t.Errorf("%s after %d: after a heartbeat the place is %q, want %d", query, after, place, n)
				}
				some += len(want)

				var typed []int64
				for e := range sandbox.within(t, row, int64(after), len(want)) {
					typed = append(typed, e.EventHead().ID)
				}
				for i, e := range want {
					if i >= len(typed) || typed[i] != e.ID {
						t.Fatalf("%s after %d yields %v in Go, want %v", query, after, typed, want)
					}
				}
			}
			if some == 0 || len(row) > 0 && some == n*(n+1)/2 {
				t.Errorf("%s tries nothing: %d events pass", query, some)
			}
		}
	})
}

func of[W ~string](texts []string) (words []W) {
	for _, text := range texts {
		words = append(words, W(text))
	}
	return words
}

// within yields up to n events of Events, with the filter of a query.
func (sb *Sandbox) within(t *testing.T, row map[string]string, after int64, n int) func(func(protocol.Event) bool) {
	t.Helper()
	list := func(name string) []string {
		if row[name] == "" {
			return nil
		}
		return strings.Split(row[name], ",")
	}
	filter := EventFilter{Types: list("type"), Actions: of[protocol.Action](list("action")), Sources: of[protocol.Source](list("source")), Levels: of[protocol.Level](list("level"))}
	return func(yield func(protocol.Event) bool) {
		if n == 0 {
			return
		}
		for e, err := range sb.Events(t.Context(), filter, after) {
			if n--; err != nil {
				t.Fatal(err)
			}
			if !yield(e) || n == 0 {
				return
			}
		}
	}
}

// An invalid filter is rejected, and nothing is streamed.
func TestEventFiltersFailClosed(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	for query, want := range map[string][2]string{
		"typ=verdict":         {"bad-filter", `"typ" is not a parameter`},
		"type=verdicts":       {"bad-filter", "it knows verdict, violation, console, error, lifecycle"},
		"type=":               {"bad-filter", `unknown word ""`},
		"type=verdict,":       {"bad-filter", `unknown word ""`},
		"type=Verdict":        {"bad-filter", `"Verdict"`},
		"action=deny":         {"bad-filter", "it knows block, allow"},
		"source=me":           {"bad-filter", "it knows server, worker, outer, browser, page"},
		"level=loud":          {"bad-filter", "it knows debug, log, info, warn, error"},
		"type=error&type=log": {"bad-filter", "2 times"},
		"type=%zz":            {"bad-filter", "cannot be parsed"},
		"after=x":             {"bad-event-id", `"x" is not an event ID`},
		"after=-5":            {"bad-event-id", `"-5"`},
		"after=1e3":           {"bad-event-id", "an integer"},
	} {
		r := sandboxes[0].as("GET", "/events", "")
		r.URL.RawQuery += "&" + query
		w := answer(s, r)
		if wantRefusal(t, w, 400, want[0], ""); !strings.Contains(w.Body.String(), want[1]) {
			t.Errorf("%s: %q, want %q", query, w.Body, want[1])
		}
	}
	r := sandboxes[0].as("GET", "/events", "")
	r.Header.Set("Last-Event-ID", "x")
	wantRefusal(t, answer(s, r), 400, "bad-event-id", "")

	for _, wrong := range []struct {
		filter EventFilter
		after  int64
		says   string
	}{{EventFilter{Types: []string{"x"}}, 0, `unknown word "x"`}, {EventFilter{}, -1, "-1 is not an event ID"}} {
		for e, err := range sandboxes[0].Events(t.Context(), wrong.filter, wrong.after) {
			if e != nil || err == nil || !strings.Contains(err.Error(), wrong.says) {
				t.Errorf("%v: %v, %v", wrong, e, err)
			}
		}
	}
}

// A filtered stream also says how many events are gone, even if none of the remaining ones
// passes the filter. With an id of the future it starts from the beginning, and says so.
func TestFilteredStreamsTellWhatIsMissing(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandboxes[0].say(logLength+99, "") // none of these lines has the level warn
		for query, want := range map[string]string{
			"&level=warn":           "100 earlier events are no longer kept",
			"&level=warn&after=10":  "90 events were dropped",
			"&level=warn&after=100": "",
			"&after=99999":          "no event 99999",
		} {
			r := sandboxes[0].as("GET", "/events", "")
			r.URL.RawQuery += query
			st := openStream(t, s, r)
			st.answered()
			switch all, _ := readStream(t, st.text()+"\n\n"); {
			case want == "" && len(all) > 0:
				t.Errorf("%s tells of %d events", query, len(all))
			case want != "" && (len(all) == 0 || all[0].ID != 100 || all[0].Step != "dropped" || !strings.Contains(all[0].Text, want)):
				t.Errorf("%s begins with %.300s, want %q", query, st.text(), want)
			case strings.Contains(query, "99999") && len(all) != logLength+1:
				t.Errorf("%s tells %d events", query, len(all))
			}
		}
	})
}

// A silent stream sends heartbeats. On a filtered stream they carry its place, so a client
// that comes back there has missed nothing.
func TestSilentStreamsHaveAHeartbeat(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		r := sandboxes[0].as("GET", "/events", "")
		r.URL.RawQuery += "&level=error"
		st := openStream(t, s, r)
		pass(heartbeat + time.Second)
		if got := st.text(); got != "id: 1\n\n" {
			t.Errorf("after a heartbeat there is %q", got)
		}
		pass(heartbeat)
		sandboxes[0].say(5, "left out")
		pass(heartbeat - 2*time.Second)
		if got := st.text(); got != "id: 1\n\n: alive\n\n" {
			t.Errorf("before the third there is %q", got)
		}
		pass(2 * time.Second)
		if got := st.text(); got != "id: 1\n\n: alive\n\nid: 6\n\n" {
			t.Errorf("after the third there is %q", got)
		}
	})
}

// Followers in Go end as streams do, and their callers can tell why.
func TestEventsEnd(t *testing.T) {
	inBubble(t, Config{}, 2, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		type end struct {
			last protocol.Event
			err  error
		}
		follow := func(ctx context.Context, sandbox *Sandbox) chan end {
			ended := make(chan end, 1)
			go func() {
				var e end
				for event, err := range sandbox.Events(ctx, EventFilter{Types: []string{"verdict"}}, 0) {
					if e.err = err; err == nil {
						e.last = event
					}
				}
				ended <- e
			}()
			return ended
		}
		ctx, cancel := context.WithCancel(t.Context())
		removed, stopped, ending := follow(t.Context(), sandboxes[0]), follow(ctx, sandboxes[1]), follow(t.Context(), sandboxes[1])
		st := openStream(t, s, sandboxes[1].as("GET", "/events", ""))
		pass(time.Second)
		s.Remove(sandboxes[0].ID())
		if e := <-removed; e.err != nil || e.last.(protocol.LifecycleEvent).Step != protocol.StepRemoved {
			t.Errorf("of a removed sandbox: %+v", e)
		}
		cancel()
		if e := <-stopped; !errors.Is(e.err, context.Canceled) || e.last != nil {
			t.Errorf("of a context that ends: %+v", e)
		}
		s.End()
		if e := <-ending; e.err != nil || e.last.(protocol.LifecycleEvent).Step != protocol.StepEnding {
			t.Errorf("of a server that ends: %+v", e)
		}
		<-st.ended
		all, _ := readStream(t, st.text())
		if last := all[len(all)-1]; last.Step != "ending" {
			t.Errorf("its stream ends with %+v", last)
		}
		if w := answer(s, sandboxes[1].as("GET", "/events", "")); w.Code != http.StatusServiceUnavailable || !strings.HasSuffix(w.Body.String(), "Bellglass: ending\n") {
			t.Errorf("a new stream gets %d %q", w.Code, w.Body)
		}
		if _, err := s.Create(Spec{Files: fileSet(t, s)}); !errors.Is(err, ErrEnding) {
			t.Errorf("a new sandbox: %v", err)
		}
	})
}
