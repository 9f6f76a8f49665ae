package server

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// The events of an app advise its author, for each way in which the log learns of a refusal.
// Events of other sandboxes, and other events, give no advice.
func TestRemedies(t *testing.T) {
	t.Parallel()
	s := newProxy(t, mcpapps.Options{})
	const target = "https://api.example.com/x"
	type verdicts struct {
		protocol.VerdictEvent
		judged rules.Type
	}
	verdict := func(change func(*verdicts)) func(*Sandbox) {
		return func(sb *Sandbox) {
			v := verdicts{protocol.VerdictEvent{Method: "GET", URL: target, Verdict: protocol.Verdict{Action: protocol.ActionBlock}}, rules.TypeFetch}
			change(&v)
			sb.RecordVerdict(v.VerdictEvent, v.judged)
		}
	}
	violation := func(source protocol.Source, directive, target string) func(*Sandbox) {
		return func(sb *Sandbox) {
			if target == "own" {
				target = sb.URL() + "/data.json"
			}
			r := protocol.ViolationReport{Directive: directive, Target: target}
			if source == protocol.SourceOuter {
				sb.RecordLeaving("", r)
				return
			}
			sb.RecordReportedViolation(source, r)
		}
	}
	const connects = `map[connectDomains:[https://api.example.com]] Add "https://api.example.com" to connectDomains of _meta.ui.csp.`
	for name, row := range map[string]struct {
		address, message string
		record           func(*Sandbox)
		directive, want  string
	}{
		"verdict":                 {record: verdict(func(*verdicts) {}), directive: "connect-src", want: connects},
		"verdict on an image":     {record: verdict(func(v *verdicts) { v.judged = rules.TypeImage }), directive: "img-src", want: "map[resourceDomains:"},
		"verdict of no type":      {record: verdict(func(v *verdicts) { v.judged = "" }), want: "map[] _meta.ui.csp has no field"},
		"verdict on a redirect":   {address: `{"connectDomains":["https://api.example.com"]}`, record: verdict(func(v *verdicts) { v.Code = "redirect" }), directive: "connect-src", want: "map[] _meta.ui.csp allows it already"},
		"allowed":                 {record: verdict(func(v *verdicts) { v.Action = protocol.ActionAllow }), want: "map[] "},
		"virtual file":            {record: verdict(func(v *verdicts) { v.Virtual = true }), want: "map[] "},
		"browser":                 {record: violation(protocol.SourceBrowser, "connect-src", target), directive: "connect-src", want: connects},
		"page":                    {record: violation(protocol.SourcePage, "connect-src", target), directive: "connect-src", want: connects},
		"message alone":           {message: `{"connectDomains":["https://b.example.com"]}`, record: violation(protocol.SourceBrowser, "connect-src", target), directive: "connect-src", want: connects},
		"address and message":     {address: `{"connectDomains":["https://b.example.com"]}`, message: `{"connectDomains":["https://b.example.com"]}`, record: violation(protocol.SourceBrowser, "connect-src", target), directive: "connect-src", want: connects},
		"the address is narrower": {address: `{}`, message: `{"connectDomains":["https://api.example.com"]}`, record: violation(protocol.SourceBrowser, "connect-src", target), directive: "connect-src", want: "map[] The host's own csp"},
		"own origin":              {record: violation(protocol.SourceBrowser, "connect-src", "own"), directive: "connect-src", want: "map[] The app is one HTML document"},
		"left":                    {record: violation(protocol.SourceOuter, "frame-src", target), directive: "frame-src", want: "map[] An app cannot navigate"},
		"stayed":                  {record: violation(protocol.SourcePage, "navigation", target), directive: "navigation", want: "map[] "},
		"dialog":                  {record: violation(protocol.SourcePage, string(protocol.FeatureModals), "alert"), directive: string(protocol.FeatureModals), want: "map[] "},
		"hint":                    {record: violation(protocol.SourcePage, "connection-allowlist", target), directive: "connection-allowlist", want: "map[] "},
	} {
		t.Run(name, func(t *testing.T) {
			sandbox := s.Sandbox(strings.TrimPrefix(s.askProxy("/sandbox.html"+addressOf(row.address)).Header().Get("Location"), "/"))
			row.record(sandbox)
			if directive, got := remedyOf(t, sandbox); got != "map[] " || directive != row.directive {
				t.Errorf("before the app is there the log says %q of %q", got, directive)
			}
			body := `{"html":"<p>x</p>"`
			if row.message != "" {
				body += `,"csp":` + row.message
			}
			if w := handIn(s, sandbox, body+"}"); w.Code != 200 {
				t.Fatal(w.Body)
			}
			row.record(sandbox)
			directive, got := remedyOf(t, sandbox)
			if !strings.HasPrefix(got, row.want) || row.want == "map[] " && got != row.want || directive != row.directive {
				t.Errorf("the log says %q of %q, want %q of %q", got, directive, row.want, row.directive)
			}
		})
	}
	none, err := s.Create(Spec{Files: filesOf(s.Sandboxes()[0])})
	if err != nil {
		t.Fatal(err)
	}
	violation(protocol.SourceBrowser, "connect-src", target)(none)
	if _, got := remedyOf(t, none); got != "map[] " {
		t.Errorf("an ordinary sandbox's log says %q", got)
	}
}

func addressOf(csp string) string {
	if csp == "" {
		return ""
	}
	return "?csp=" + url.QueryEscape(csp)
}

// remedyOf returns the advice in the newest event of the log.
func remedyOf(t *testing.T, sandbox *Sandbox) (directive, remedy string) {
	t.Helper()
	for event, err := range sandbox.Events(context.Background(), EventFilter{}, newest(sandbox)-1) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := event.(type) {
		case protocol.VerdictEvent:
			return e.Directive, fmt.Sprint(e.Change, " ", e.Advice)
		case protocol.ViolationEvent:
			return e.Directive, fmt.Sprint(e.Change, " ", e.Advice)
		}
	}
	return "", ""
}
