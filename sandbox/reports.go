package sandbox

import (
	"encoding/json"
	"fmt"

	"github.com/bellglass/bellglass/protocol"
)

// A reporter is what a report comes from: a view, or "" if that is unknown, and an execution in
// it, or nil for a page.
type reporter struct {
	view      string
	execution *Running
}

// mark writes the reporter and the source into the head of the report's event.
func (from reporter) mark(h *protocol.Head, source protocol.Source) {
	h.Source, h.Execution, h.View = source, from.execution.name(), from.view
}

// RecordReports records reports from the sandbox's pages. view is the id of their view, or ""
// for reports that did not come through an outer frame. Untrusted code can forge reports
// beside those of our own scripts, so an invalid report must not invalidate the others. It
// counts as dropped.
func (sb *Sandbox) RecordReports(view string, page []json.RawMessage, dropped int) {
	for _, raw := range page {
		if err := sb.recordReport(raw, reporter{view: view}); err != nil {
			dropped++
		}
	}
	sb.recordDropped(dropped, protocol.SourcePage, view)
}

// recordReport records a member of the PageReport union. The kind is read first, because
// otherwise a report without a kind would be decoded as whichever type is tried first.
func (sb *Sandbox) recordReport(raw json.RawMessage, from reporter) error {
	var of struct{ Kind string }
	if err := json.Unmarshal(raw, &of); err != nil {
		return err
	}
	var console protocol.ConsoleReport
	var failure protocol.ErrorReport
	var violation protocol.ViolationReport
	var invalidate protocol.InvalidateReport
	switch of.Kind {
	case console.Kind.Literal():
		if err := json.Unmarshal(raw, &console); err != nil {
			return err
		}
		return sb.recordConsole(console, from)
	case failure.Kind.Literal():
		if err := json.Unmarshal(raw, &failure); err != nil {
			return err
		}
		sb.recordError(failure, from)
	case violation.Kind.Literal():
		if err := json.Unmarshal(raw, &violation); err != nil {
			return err
		}
		sb.recordPageViolation(violation, from)
	case invalidate.Kind.Literal():
		if err := json.Unmarshal(raw, &invalidate); err != nil {
			return err
		}
		if from.execution == nil {
			sb.invalidate(invalidate.Path)
		}
	default:
		return fmt.Errorf("a report is of the unknown kind %.20q", of.Kind)
	}
	return nil
}
