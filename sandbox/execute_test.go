package sandbox

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

func TestExecutionIsChecked(t *testing.T) {
	r := newTestRegistry(t, Config{Limits: Limits{ExecutionBytes: 10, ExecutionTime: time.Second}})
	sb := mustCreate(t, r)
	for code, e := range map[string]Execution{
		"no-code": {}, "code-too-large": {Code: strings.Repeat("x", 11)}, "args-too-large": {Code: "1", Args: json.RawMessage(`"0123456789"`)},
		"bad-args": {Code: "1", Args: json.RawMessage(`1 2`)}, "bad-timeout": {Code: "1", Timeout: time.Minute}, "bad-timeout ": {Code: "1", Timeout: -1},
		"bad-field": {Code: "1", ID: strings.Repeat("x", 65)}, "bad-field ": {Code: "1", ID: "a.b"}, "bad-field  ": {Code: "1", ID: "é"},
		"bad-context": {Code: "1", Context: "iframe"}, "bad-capability": {Code: "1", Capabilities: []string{"all"}},
	} {
		_, err := sb.Execute(t.Context(), e)
		if rejected, is := errors.AsType[*ExecutionError](err); !is || string(rejected.Code) != strings.TrimSpace(code) {
			t.Errorf("%s: %v", code, err)
		}
	}
	// At the limits the execution is accepted. There is no view, so nobody runs it.
	outcome, err := sb.Execute(t.Context(), Execution{ID: strings.Repeat("-_aZ", 16), Code: strings.Repeat("x", 10), Args: json.RawMessage(`"01234567"`), Timeout: time.Millisecond})
	if err != nil || outcome.ID != strings.Repeat("-_aZ", 16) || outcome.Error == nil || outcome.Error.Code != protocol.FailureNoView {
		t.Errorf("at the limits it gave %+v, %v", outcome, err)
	}
	r.Remove(sb.ID())
	if _, err := sb.Execute(t.Context(), Execution{Code: "1"}); !errors.Is(err, ErrRemoved) {
		t.Errorf("in a removed sandbox: %v", err)
	}
}

func TestExecutionRequest(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{"code":"1","args":null,"timeoutMs":1500,"requireView":true}`: 1500 * time.Millisecond, `{"code":"1"}`: 0,
		`{"timeoutMs":9223372036854775807}`: math.MaxInt64 / time.Millisecond * time.Millisecond, `{"timeoutMs":-9223372036854775808}`: -(math.MaxInt64 / time.Millisecond * time.Millisecond),
	} {
		var r ExecutionRequest
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if e := r.Execution(); e.Timeout != want || e.Code != r.Code || string(e.Args) != string(r.Args) || e.RequireView != strings.Contains(text, "requireView") {
			t.Errorf("%s is %+v", text, e)
		}
	}
}
