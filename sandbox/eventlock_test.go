package sandbox

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/vfs"
)

// A change of a sandbox holds the sandbox's lock while it writes into the log. A page's report
// at the same time must not hold the log's lock while it asks for the revision.
func TestReportsBesideChanges(t *testing.T) {
	r := newTestRegistry(t, Config{})
	sb := mustCreate(t, r)
	const count = 2_000
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			for i := range count {
				sb.RecordReports("", []json.RawMessage{[]byte(fmt.Sprintf(`{"kind":"console","level":"log","text":"%d"}`, i))}, 1)
			}
		})
	}
	both.Go(func() {
		for i := range count {
			files, err := r.Store().Snapshot(map[string][]byte{"/index.html": fmt.Append(nil, i)}, vfs.DefaultLimits())
			if err == nil {
				_, err = sb.SetFiles(files)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	both.Wait()
	if got := sb.Revision(); got != count+1 {
		t.Errorf("after %d changes the revision is %d", count, got)
	}
}
