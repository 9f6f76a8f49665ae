package sandbox

import (
	"encoding/json"
	"fmt"

	"github.com/bellglass/bellglass/protocol"
)

// RecordReports records reports from the sandbox's pages. Untrusted code can forge reports
// beside those of our own scripts, so an invalid report must not invalidate the others. It
// counts as dropped.
func (sb *Sandbox) RecordReports(page []json.RawMessage, dropped int) {
	for _, raw := range page {
		if err := sb.recordReport(raw, nil); err != nil {
			dropped++
		}
	}
	sb.RecordDropped(dropped, protocol.SourcePage)
}

// recordReport records a member of the PageReport union. The report comes from a page, or from
// the execution x if that is not nil. The kind is read first, because otherwise a report
// without a kind would be decoded as whichever type is tried first.
func (sb *Sandbox) recordReport(raw json.RawMessage, x *Running) error {
	var of struct{ Kind string }
	if err := json.Unmarshal(raw, &of); err != nil {
		return err
	}
	var console protocol.ConsoleReport
	var failure protocol.ErrorReport
	var violation protocol.ViolationReport
	switch of.Kind {
	case console.Kind.Literal():
		if err := json.Unmarshal(raw, &console); err != nil {
			return err
		}
		return sb.recordConsole(console, x)
	case failure.Kind.Literal():
		if err := json.Unmarshal(raw, &failure); err != nil {
			return err
		}
		sb.recordError(failure, x)
	case violation.Kind.Literal():
		if err := json.Unmarshal(raw, &violation); err != nil {
			return err
		}
		sb.recordPageViolation(violation, x)
	default:
		return fmt.Errorf("a report is of the unknown kind %.20q", of.Kind)
	}
	return nil
}
