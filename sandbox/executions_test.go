package sandbox

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// Executions leave nothing behind: neither running ones, nor waiting ones, nor their view.
func TestExecutionsLeaveNothing(t *testing.T) {
	inBubble(t, Config{Limits: Limits{ExecutionsAtOnce: 1}}, 1, func(t *testing.T, r *Registry, sandboxes []*Sandbox) {
		sb := sandboxes[0]
		view, leave := sb.Enter()
		for range 2 {
			go sb.Execute(t.Context(), Execution{Code: "1", Timeout: time.Minute})
		}
		synctest.Wait()
		if asked := view.Take(); len(asked) != 1 {
			t.Errorf("the view is asked for %d executions, want the one that may run", len(asked))
		}
		r.Remove(sb.ID())
		synctest.Wait()
		for _, message := range view.Take() {
			if _, is := message.(protocol.End); !is && sb.Execution(message.(protocol.Run).Execution) != nil {
				t.Errorf("it is told %+v", message)
			}
		}
		leave()
		es := sb.executions
		if n := len(es.all) + len(es.queue) + len(es.views) + es.dispatched; n != 0 {
			t.Errorf("at the end %d are left: %+v", n, es)
		}
	})
}
