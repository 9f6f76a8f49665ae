package sandbox

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// A refusal that both the browser and the page report is one event, with the browser as its
// source.
func TestRefusalsAreToldOnce(t *testing.T) {
	for _, row := range []struct{ name, told, want string }{
		{"browser first", "browser page", "browser"},
		{"page first", "page browser", "browser"},
		{"browser alone", "browser", "browser"},
		{"page alone", "page wait", "page"},
		{"browser late", "page wait browser", "page browser"},
		{"twice each", "page page browser browser", "browser browser"},
		{"page oftener", "browser page page wait", "browser page"},
		{"browser oftener", "page browser browser", "browser browser"},
		{"much later", "browser forget page wait", "browser page"},
		{"in an execution", "execution browser", "page"},
		{"of an execution, by the browser first", "browser execution", "browser"},
		{"in an execution, and by hand", "execution browser browser", "page browser"},
		{"the allowlist's", "allowlist allowlist", "page page"},
		{"page, and removed", "page remove wait", "page"},
		{"page, and the server has ended", "page end", "page"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inBubble(t, Config{}, 1, func(t *testing.T, registry *Registry, sandboxes []*Sandbox) {
				sandbox := sandboxes[0]
				x := &Running{id: "x"}
				executed := 0
				for word := range strings.FieldsSeq(row.told) {
					r := protocol.ViolationReport{Target: "http://a.example/", Directive: "connect-src"}
					switch word {
					case "browser":
						sandbox.RecordReportedViolation(protocol.SourceBrowser, r)
					case "page":
						sandbox.recordPageViolation(r, reporter{})
					case "allowlist":
						r.Directive = allowlistDirective
						sandbox.recordPageViolation(r, reporter{})
					case "execution":
						sandbox.recordPageViolation(r, reporter{execution: x})
						executed++
					case "remove":
						registry.Remove(sandbox.ID())
					case "end":
						registry.Flush()
					case "wait":
						pass(confirmTime)
					case "forget":
						pass(rememberTime)
					}
				}
				var got []string
				for _, v := range violations(sandbox) {
					source, _, _ := strings.Cut(v, " ")
					got = append(got, source)
				}
				if strings.Join(got, " ") != row.want {
					t.Errorf("the log has %q, want %q", got, row.want)
				}
				if n := len(x.seen.violations); n != executed || n > 0 && x.seen.violations[0].Execution != "x" {
					t.Errorf("the execution has seen %+v", x.seen.violations)
				}
				pass(rememberTime)
				if sandbox.refusals.count != 0 || len(sandbox.refusals.mentions) != 0 {
					t.Errorf("%d refusals stay in memory", sandbox.refusals.count)
				}
			})
		})
	}
}

// It is one event even if both report it at the same time.
func TestRefusalsToldAtOnceAreToldOnce(t *testing.T) {
	const rounds = 500
	inBubble(t, Config{}, 1, func(t *testing.T, registry *Registry, sandboxes []*Sandbox) {
		sandbox, x := sandboxes[0], &Running{id: "x"}
		for i := range rounds {
			r := protocol.ViolationReport{Target: "http://a.example/" + strconv.Itoa(i), Directive: "connect-src"}
			var both sync.WaitGroup
			both.Go(func() { sandbox.RecordReportedViolation(protocol.SourceBrowser, r) })
			both.Go(func() { sandbox.recordPageViolation(r, reporter{execution: x}) })
			both.Wait()
		}
		if n := len(violations(sandbox)); n != rounds {
			t.Errorf("the log has %d events of %d refusals", n, rounds)
		}
		if n := len(x.seen.violations); n != rounds {
			t.Errorf("the execution has seen %d of %d refusals", n, rounds)
		}
	})
}

// violations lists the violations in a sandbox's log, as source and target.
func violations(sb *Sandbox) (seen []string) {
	entries, _ := sb.log.read(0)
	for _, e := range entries {
		if v, is := e.Event().(protocol.ViolationEvent); is {
			seen = append(seen, string(v.Source)+" "+v.Target)
		}
	}
	return seen
}
