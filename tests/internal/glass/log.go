package glass

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
)

// A Logged is one event of a sandbox's log, with the fields that tests examine.
type Logged struct {
	ID                                                int
	Type, Source, Action, Rule, Code, File, Text, URL string
	Target, Step, Method, Level                       string
	Line, Status                                      int
	Revision                                          int64
}

// Log reads the sandbox's events as its outer frame does, from the oldest kept one up
// to the first for which last returns true.
func (g *Server) Log(t testing.TB, sandbox *server.Sandbox, last func(Logged) bool) []Logged {
	t.Helper()
	page := Body(t, g.Request(t, "GET", sandbox.OuterURL(), "iframe", nil, nil))
	outer, _, _ := strings.Cut(sandbox.OuterURL(), "/"+sandbox.ID())
	address := outer + Between(t, page, `"events":"`, `"`)
	response := g.Request(t, "GET", address, "empty", http.Header{"Sec-Fetch-Site": {"same-origin"}}, nil)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the events answer %d", response.StatusCode)
	}
	late := time.AfterFunc(browser.Patience, func() { response.Body.Close() })
	defer late.Stop()
	var all []Logged
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	named := false // a message to the outer frame itself, not an event of the log
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event: ") {
			named = true
		} else if lines.Text() == "" {
			named = false
		}
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData || named {
			continue
		}
		var event Logged
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			t.Fatalf("the event %s: %v", data, err)
		}
		if all = append(all, event); last(event) {
			response.Body.Close()
			return all
		}
	}
	t.Fatalf("the event that the test waits for does not come: %v; there are %d others, the last of them %+v", lines.Err(), len(all), all[max(0, len(all)-3):])
	return nil
}
