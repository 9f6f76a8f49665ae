package server

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/vfs"
)

const otherHost = "http://host.example:8080"

func newKeyedProxy(t *testing.T, key byte) *Server {
	t.Helper()
	s, err := New(Config{Embedders: []string{mcpHost, otherHost}, MCPApps: &mcpapps.Options{}, MCPKey: bytes.Repeat([]byte{key}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// askFrom requests the proxy as a host's page does. The referrer "" stands for none.
func (s *Server) askFrom(t *testing.T, referrer, query string) *Sandbox {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://sandbox.localhost:3333/sandbox.html?"+query, nil)
	r.Header.Set("Sec-Fetch-Dest", "iframe")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if referrer != "" {
		r.Header.Set("Referer", referrer)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	sandbox := s.Sandbox(strings.TrimPrefix(w.Header().Get("Location"), "/"))
	if w.Code != http.StatusSeeOther || sandbox == nil {
		t.Fatalf("%s: %d %s", query, w.Code, w.Body)
	}
	return sandbox
}

// The origin of an app depends on its host, its domain, and the key. A change of any of these
// makes another origin, and the same three make the same origin.
func TestAppsKeepTheirOrigin(t *testing.T) {
	t.Parallel()
	one, again, other := newKeyedProxy(t, 1), newKeyedProxy(t, 1), newKeyedProxy(t, 2)
	want := one.askFrom(t, mcpHost+"/chat?a=b", "csp={}&domain=weather").ID()
	if got := again.askFrom(t, mcpHost+"/", "domain=weather").ID(); got != want || !IsID(got) {
		t.Errorf("the same app has %s, and before it had %s", got, want)
	}
	seen := []string{want}
	for _, row := range []struct {
		server          *Server
		referrer, query string
	}{
		{other, mcpHost + "/", "domain=weather"},
		{again, otherHost + "/", "domain=weather"},
		{again, "http://127.0.0.1:8080/", "domain=weather"}, // an alias of localhost is another host
		{again, mcpHost + "/", "domain=weathe"},
		{again, mcpHost + "/", "domain=Weather"},
		{again, mcpHost + "/", "domain=" + url.QueryEscape("weather\x00")},
	} {
		id := row.server.askFrom(t, row.referrer, row.query).ID()
		if slices.Contains(seen, id) {
			t.Errorf("%s %s has the origin of another app", row.referrer, row.query)
		}
		seen = append(seen, id)
	}
}

// A host that is not known, or that asks for no lasting origin, gets a new origin each time.
// If it has asked for one, it is told why.
func TestAppsWithoutALastingOrigin(t *testing.T) {
	t.Parallel()
	keyed, keyless := newKeyedProxy(t, 1), newProxy(t, mcpapps.Options{})
	for _, row := range []struct {
		server                *Server
		referrer, query, says string
	}{
		{keyed, mcpHost + "/", "csp={}", ""},
		{keyed, mcpHost + "/", "domain=", ""},
		{keyed, "", "domain=a", "Referrer-Policy"},
		{keyed, "https://evil.example/", "domain=a", "Referrer-Policy"},
		{keyed, mcpHost + ".evil.example/", "domain=a", "Referrer-Policy"},
		{keyed, "http://localhost:8080@evil.example/", "domain=a", "Referrer-Policy"},
		{keyless, mcpHost + "/", "domain=a", "no key"},
	} {
		first, second := row.server.askFrom(t, row.referrer, row.query), row.server.askFrom(t, row.referrer, row.query)
		if first.ID() == second.ID() {
			t.Errorf("%q %s: two views have one origin", row.referrer, row.query)
		}
		w := handIn(row.server, second, `{"html":"<p>x</p>"}`)
		if told := strings.Contains(w.Body.String(), "domain: the app gets a new origin"); w.Code != http.StatusOK || told != (row.says != "") || !strings.Contains(w.Body.String(), row.says) {
			t.Errorf("%q %s: the host hears %s, want %q", row.referrer, row.query, w.Body, row.says)
		}
		if got := second.embedders(); len(got) != len(row.server.embedders) {
			t.Errorf("%q %s: these may speak to the app: %q", row.referrer, row.query, got)
		}
	}
	for query, says := range map[string]string{
		"domain=a&domain=a": "occurs 2 times",
		"domain=" + strings.Repeat("a", longestDomain+1): "at most 512",
	} {
		if w := keyed.askProxy("/sandbox.html?" + query); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%.30s: %d %s", query, w.Code, w.Body)
		}
	}
}

// One origin has one sandbox. The next view gets the origin once no page shows the previous
// one. Only the host that the origin belongs to may talk to it.
func TestOneAppAtATimeHasTheOrigin(t *testing.T) {
	t.Parallel()
	s := newKeyedProxy(t, 1)
	ask := func() *Sandbox { return s.askFrom(t, mcpHost+"/", "domain=a") }
	first := ask()
	if got := first.embedders(); !slices.Equal(got, []string{mcpHost}) {
		t.Errorf("these may speak to the app: %q", got)
	}
	// The outer frame of the first view has not loaded yet.
	if second := ask(); second.ID() == first.ID() {
		t.Error("a second view has taken an origin that was just reserved")
	}
	// While a page shows the first view, the second one waits briefly for its end, and then
	// gets another origin.
	first.app.presence.enter()
	second := ask()
	if second.ID() == first.ID() || s.Sandbox(first.ID()) != first {
		t.Error("a second view has taken an origin that is shown")
	}
	if w := handIn(s, second, `{"html":"<p>x</p>"}`); !strings.Contains(w.Body.String(), "another view of this app has it now") {
		t.Errorf("the host hears %s", w.Body)
	}
	// The page goes away while the next view waits.
	asked := make(chan *Sandbox)
	go func() { asked <- ask() }()
	for waits := false; !waits; runtime.Gosched() {
		first.app.presence.mu.Lock()
		waits = first.app.presence.left != nil
		first.app.presence.mu.Unlock()
	}
	first.app.presence.leave()
	third := <-asked
	if third.ID() != first.ID() || third == first || third.incarnation == first.incarnation || first.Alive().Err() == nil {
		t.Errorf("the next view has %s, and the one before had %s", third.ID(), first.ID())
	}
	// No page shows it any more, so the next view need not wait.
	third.app.presence.enter()
	third.app.presence.leave()
	if fourth := ask(); fourth.ID() != first.ID() {
		t.Error("an origin that no page shows is not free")
	}
}

// If several views ask at the same time, one of them gets the origin, and the others run too.
func TestViewsAskAtOnce(t *testing.T) {
	t.Parallel()
	s := newKeyedProxy(t, 1)
	const views = 8
	ids := make(chan string)
	for range views {
		go func() { ids <- s.askFrom(t, mcpHost+"/", "domain=a").ID() }()
	}
	want, have := s.config.appID(mcpHost, "a"), 0
	var all []string
	for range views {
		id := <-ids
		if id == want {
			have++
		}
		all = append(all, id)
	}
	slices.Sort(all)
	if distinct := len(slices.Compact(all)); have != 1 || distinct != views {
		t.Errorf("%d views have the origin, and there are %d origins", have, distinct)
	}
}

// A reservation ends if its outer frame never loads. The origin of another sandbox is never
// taken.
func TestReservedOrigins(t *testing.T) {
	t.Parallel()
	var never presence
	if never.over(t.Context(), time.Now()) || !never.over(t.Context(), time.Now().Add(-reserved-time.Second)) {
		t.Error("a reservation has another time than it should")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never.enter()
	if never.over(ctx, time.Now().Add(-time.Hour)) {
		t.Error("who does not wait gets an origin that is shown")
	}
	s := newKeyedProxy(t, 1)
	none, err := s.Store().Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	id := s.config.appID(mcpHost, "a")
	if _, err := s.Create(Spec{ID: id, Files: none}); err != nil {
		t.Fatal(err)
	}
	if got := s.askFrom(t, mcpHost+"/", "domain=a").ID(); got == id {
		t.Error("an app has taken another sandbox's origin")
	}
}
