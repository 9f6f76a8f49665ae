package server

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bellglass/bellglass/protocol"
)

// An invalid body is refused with a reason, and nothing of it is kept.
func TestBodiesAreLimited(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	sandbox := sandboxes[0]
	for _, row := range []struct {
		name, path, body string
		chunked          bool
		status           int
		code             string
	}{
		{"verdicts too large", protocol.VerdictsPath, `{"verdicts":[{"url":"` + strings.Repeat("x", 2<<20) + `"}]}`, false, 413, "body-too-large"},
		{"verdicts too large, unannounced", protocol.VerdictsPath, `{"verdicts":[{"url":"` + strings.Repeat("x", 2<<20) + `"}]}`, true, 413, "body-too-large"},
		{"one byte too large", protocol.VerdictsPath, strings.Repeat(" ", verdictsLimit.bytes-1) + "{}", true, 413, "body-too-large"},
		{"many empty verdicts", protocol.VerdictsPath, `{"verdicts":[` + strings.Repeat("{},", 20_000) + `{}]}`, false, 413, "body-too-large"},
		{"more verdicts than a batch has", protocol.VerdictsPath, `{"verdicts":[` + strings.Repeat("null,", maxEvents) + `null]}`, false, 413, "body-too-large"},
		{"more reports than a batch has", "/reports", `{"page":[` + strings.Repeat("0,", maxEvents) + `0]}`, false, 413, "body-too-large"},
		{"deep verdicts", protocol.VerdictsPath, strings.Repeat("[", 15_000), false, 400, "bad-json"},
		{"deeper verdicts", protocol.VerdictsPath, strings.Repeat("[", 1<<20), false, 413, "body-too-large"},
		{"reports too large", "/reports", `{"page":["` + strings.Repeat("x", 4<<20) + `"]}`, false, 413, "body-too-large"},
		{"many empty reports", "/reports", `{"page":[` + strings.Repeat("0,", 20_000) + `0]}`, false, 413, "body-too-large"},
		{"no JSON", protocol.VerdictsPath, "\xff\x00{", false, 400, "bad-json"},
		{"cut JSON", "/reports", `{"page":[`, false, 400, "bad-json"},
		{"nothing", "/reports", "", false, 400, "bad-json"},
		{"another shape", protocol.VerdictsPath, `["a"]`, false, 400, "bad-json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := logged(sandbox, 0)
			r := sandbox.as("POST", row.path, row.body)
			if row.chunked {
				r.ContentLength = -1
			}
			wantRefusal(t, answer(s, r), row.status, row.code, "")
			if after := logged(sandbox, 0); len(after) != len(before) {
				t.Errorf("%d events were logged", len(after)-len(before))
			}
			if held := s.bodies.used.Load(); held != 0 {
				t.Errorf("%d bytes are still counted", held)
			}
			// The first refusals have used up the bucket, which this test does not examine.
			sandbox.verdicts, sandbox.reports = s.config.Limits.Verdicts.Limiter(), s.config.Limits.Reports.Limiter()
		})
	}
	// A body of the largest size is accepted.
	if w := answer(s, sandbox.as("POST", protocol.VerdictsPath, strings.Repeat(" ", verdictsLimit.bytes-2)+"{}")); w.Code != 204 {
		t.Errorf("a body as large as the limit: %d %s", w.Code, w.Body)
	}
}

// Bodies in transit share a memory. A sandbox gets only a part of it, so that one sandbox
// cannot keep the others from being heard.
func TestBodiesShareAMemory(t *testing.T) {
	inBubble(t, Config{Limits: Limits{BodyBytes: 16 * bodyStep}}, 6, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		var slow []*slowBody
		send := func(sandbox *Sandbox) *slowBody {
			r, w := io.Pipe()
			body := &slowBody{w, openStream(t, s, withBody(sandbox.as("POST", protocol.VerdictsPath, ""), r))}
			slow = append(slow, body)
			synctest.Wait()
			return body
		}
		busy := func(sandbox *Sandbox) {
			t.Helper()
			wantRefusal(t, answer(s, sandbox.as("POST", protocol.VerdictsPath, "{}")), 503, "busy", "1")
		}
		for range 4 {
			send(sandboxes[0])
		}
		busy(sandboxes[0])
		for _, sandbox := range sandboxes[1:4] {
			if w := answer(s, sandbox.as("POST", protocol.VerdictsPath, "{}")); w.Code != 204 {
				t.Errorf("another sandbox: %d %s", w.Code, w.Body)
			}
			// The memory of a body grows with the bytes that are sent, not with the announced
			// length.
			large := send(sandbox)
			for range 3 {
				if _, err := large.pipe.Write(make([]byte, bodyStep)); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			busy(sandbox)
		}
		busy(sandboxes[5])
		for _, body := range slow {
			body.pipe.Close()
			<-body.ended
		}
		if held := s.bodies.used.Load(); held != 0 || sandboxes[0].bodies.used.Load() != 0 {
			t.Errorf("%d bytes are still counted", held)
		}
		if w := answer(s, sandboxes[5].as("POST", protocol.VerdictsPath, "{}")); w.Code != 204 {
			t.Errorf("afterwards: %d %s", w.Code, w.Body)
		}
	})
}

type slowBody struct {
	pipe *io.PipeWriter
	*streamed
}

func withBody(r *http.Request, body io.ReadCloser) *http.Request {
	r.Body, r.ContentLength = body, -1
	return r
}
