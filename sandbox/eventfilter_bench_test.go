package sandbox

import (
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// BenchmarkEventLog measures the cost of events' fields in three cases: one event is appended,
// a full log is read through a filter, and 100 filtered followers read one event.
func BenchmarkEventLog(b *testing.B) {
	filters := []struct {
		name string
		EventFilter
	}{
		{"all", EventFilter{}},
		{"some", EventFilter{Types: []string{"verdict", "violation"}, Actions: []protocol.Action{protocol.ActionBlock}, Sources: []protocol.Source{protocol.SourceWorker, protocol.SourcePage}}},
		{"none", EventFilter{Types: []string{"error"}, Actions: []protocol.Action{protocol.ActionBlock}}},
	}
	verdict := func(h protocol.Head) any {
		h.Source = protocol.SourceWorker
		return protocol.VerdictEvent{Head: h, Method: "GET", URL: "https://api.example.com/v1/users", Verdict: protocol.Verdict{Action: protocol.ActionBlock}}
	}
	kinds := []func(protocol.Head) any{
		verdict,
		func(h protocol.Head) any { return protocol.ViolationEvent{Head: h} },
		func(h protocol.Head) any { return protocol.ConsoleEvent{Head: h, Level: "log"} },
		func(h protocol.Head) any { return protocol.ErrorEvent{Head: h} },
		func(h protocol.Head) any { return protocol.LifecycleEvent{Head: h, Step: protocol.StepFiles} },
	}
	b.Run("append", func(b *testing.B) {
		sb := mustCreate(b, newTestRegistry(b, Config{}))
		b.ReportAllocs()
		for b.Loop() {
			sb.log.append(1, verdict)
		}
	})
	for _, filter := range filters {
		b.Run("read/"+filter.name, func(b *testing.B) {
			sb := mustCreate(b, newTestRegistry(b, Config{}))
			for i := range LogLength {
				sb.log.append(1, kinds[i%len(kinds)])
			}
			b.ReportAllocs()
			for b.Loop() {
				reader, err := sb.Follow(filter.EventFilter, 0)
				if err != nil {
					b.Fatal(err)
				}
				for events, _ := reader.Read(); len(events) > 0; {
					events, _ = reader.Read()
				}
			}
		})
		b.Run("follow/"+filter.name, func(b *testing.B) {
			sb := mustCreate(b, newTestRegistry(b, Config{}))
			var readers []*Reader
			for range 100 {
				reader, err := sb.Follow(filter.EventFilter, sb.log.newest())
				if err != nil {
					b.Fatal(err)
				}
				readers = append(readers, reader)
			}
			b.ReportAllocs()
			for b.Loop() {
				sb.log.append(1, verdict)
				for _, reader := range readers {
					reader.Read()
				}
			}
		})
	}
}
