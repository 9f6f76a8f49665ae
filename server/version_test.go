package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// A change during a request affects both the headers and the body of the answer, or neither. A
// worker's script names the headers that it came with.
func TestAnswerIsOfOneRevision(t *testing.T) {
	s, sandbox := newTestServer(t)
	policy := func(text string) *rules.Policy {
		t.Helper()
		p, err := rules.Parse("rules.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before := policy("version: 1\ndefault: block\n")
	after := policy("version: 1\ncontainment: allowlist\nrules:\n  - id: one\n    allow: https://example.com/**\n")

	// The change happens after the headers have been set, and before the handler starts.
	change := func() {}
	guardAll(s, innerHost, func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			change()
			return next(c)
		}
	})
	for path, destination := range map[string]string{protocol.WorkerPath: destServiceWorker, protocol.BootPath: "iframe", "/index.html": "iframe"} {
		t.Run(path, func(t *testing.T) {
			set := func(p *rules.Policy) {
				t.Helper()
				if _, err := sandbox.SetPolicy(p); err != nil {
					t.Fatal(err)
				}
			}
			ask := func() (http.Header, string) {
				t.Helper()
				r := httptest.NewRequest("GET", sandbox.URL()+path, nil)
				r.Header.Set("Sec-Fetch-Dest", destination)
				r.Header.Set("Service-Worker", "script")
				w := answer(s, r)
				if w.Code != http.StatusOK {
					t.Fatalf("status %d: %s", w.Code, w.Body)
				}
				return w.Header(), w.Body.String()
			}
			set(before)
			wantHeader, wantBody := ask()
			change = func() { set(after) }
			header, body := ask()
			change = func() {}
			if diff := cmp.Diff(wantHeader, header); diff != "" || body != wantBody {
				t.Errorf("the answer during the change is not the previous revision's (headers, -want +got):\n%s", diff)
			}
			newHeader, newBody := ask()
			if cmp.Equal(newHeader, wantHeader) && path == protocol.WorkerPath || newBody == wantBody {
				t.Error("the change changes nothing, so this shows nothing")
			}
		})
	}
}

// A stream may last for days. It does not keep the files of its first version.
func TestStreamsKeepNoFiles(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		kept := 0
		see := func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				r := c.Request()
				go func() {
					<-r.Context().Done()
					if versionOf(r).Files != nil {
						kept++
					}
				}()
				return next(c)
			}
		}
		guardAll(s, innerHost, see)
		guardAll(s, outerHost, see)
		for _, path := range []string{protocol.ChangesPath, "/events"} {
			st := openStream(t, s, sandbox.as("GET", path, ""))
			if status := st.answered(); status != 200 {
				t.Fatalf("%s answers %d", path, status)
			}
			st.cancel()
			<-st.ended
		}
		if synctest.Wait(); kept != 0 {
			t.Errorf("%d streams kept their files", kept)
		}
	})
}
