package server

import (
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// BenchmarkEventLog measures what the fields of events cost: one event that is appended,
// a full log that is read through a filter, and one event that 100 filtered followers read.
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
		return protocol.VerdictEvent{Head: h, Method: "GET", URL: "https://api.example.com/v1/users", Ruling: protocol.Ruling{Action: protocol.ActionBlock}}
	}
	b.Run("append", func(b *testing.B) {
		_, sandbox := unlimited(b)
		b.ReportAllocs()
		for b.Loop() {
			sandbox.log.append(1, verdict)
		}
	})
	for _, filter := range filters {
		b.Run("read/"+filter.name, func(b *testing.B) {
			_, sandbox := unlimited(b)
			sandbox.log.addAny(logLength, 1)
			b.ReportAllocs()
			for b.Loop() {
				reader, err := sandbox.follow(filter.EventFilter, 0)
				if err != nil {
					b.Fatal(err)
				}
				for events, _ := reader.read(); len(events) > 0; {
					events, _ = reader.read()
				}
			}
		})
		b.Run("follow/"+filter.name, func(b *testing.B) {
			_, sandbox := unlimited(b)
			var readers []*eventReader
			for range 100 {
				reader, err := sandbox.follow(filter.EventFilter, sandbox.log.newest())
				if err != nil {
					b.Fatal(err)
				}
				readers = append(readers, reader)
			}
			b.ReportAllocs()
			for b.Loop() {
				sandbox.log.append(1, verdict)
				for _, reader := range readers {
					reader.read()
				}
			}
		})
	}
}
