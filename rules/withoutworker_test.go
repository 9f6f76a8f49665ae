package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

// A browser that refuses the worker gets a part of the policy. Each row has its connect-src
// and img-src, and the rules that it lacks.
func TestWithoutWorker(t *testing.T) {
	for _, row := range []struct {
		name, ceiling, text string
		sources             string
		needing             string
	}{
		{"exact", "", `rules: [{id: a, allow: "https://a.example"}]`, "connect-src https://a.example img-src https://a.example", ""},
		{"one type", "", `rules: [{id: a, types: [image], allow: "https://*.a.example"}]`, "img-src https://*.a.example", ""},
		{"http with https", "", `rules: [{id: a, types: [fetch], allow: ["http://a.example:8080", "https://a.example:8080"]}]`, "connect-src http://a.example:8080 https://a.example:8080", ""},
		{"http alone", "", `rules: [{id: a, allow: "http://a.example"}]`, "", "a"},
		{"a star in a label", "", `rules: [{id: a, allow: "https://a-*.example.com"}]`, "", "a"},
		{"methods", "", `rules: [{id: a, methods: [GET], allow: "https://a.example"}]`, "", "a"},
		{"a star in a path", "", `rules: [{id: a, allow: "https://a.example/*.js"}]`, "", "a"},
		{"an alternative that is not exact", "", `rules: [{id: a, allow: ["https://a.example", "https://a-*.example.com"]}]`, "", "a"},
		{"a block beside it", "", `rules: [{id: a, types: [fetch], allow: "https://a.example"}, {id: b, types: [fetch], allow: "https://b.example"}, {id: c, block: "https://a.example/private/**"}]`, "connect-src https://b.example", "a"},
		{"a WebSocket", "", `rules: [{id: a, allow: "wss://a.example"}]`, "connect-src wss://a.example", ""},
		{"all blocked", "", `rules: []`, "", ""},
		{"an exact ceiling", `rules: [{id: most, types: [fetch], allow: "https://b.a.example"}]`, `rules: [{id: a, allow: "https://*.a.example"}]`, "connect-src https://b.a.example", ""},
		{"a ceiling that is wider", `rules: [{id: most, types: [fetch], allow: ["https://a.example", "https://b.example"]}]`, `rules: [{id: a, allow: "https://a.example"}]`, "connect-src https://a.example", ""},
		{"a ceiling with methods", `rules: [{id: most, methods: [GET], allow: "https://a.example"}]`, `rules: [{id: a, allow: "https://a.example"}]`, "", "most"},
	} {
		t.Run(row.name, func(t *testing.T) {
			texts := map[string]string{"policy.yaml": "worker: preferred\n" + row.text}
			if row.ceiling != "" {
				texts["policy.yaml"] += "\ninclude: [ceiling.yaml]"
				texts["ceiling.yaml"] = "ceiling: true\n" + row.ceiling
			}
			policy := mustLoad(t, texts)
			var sources []string
			for _, directive := range []string{"connect-src", "img-src"} {
				if opened := policy.WithoutWorker().Browser().Directives[directive]; len(opened) > 0 {
					sources = append(sources, directive, strings.Join(opened, " "))
				}
			}
			if got := strings.Join(sources, " "); got != row.sources {
				t.Errorf("the browser's policy is %q, want %q", got, row.sources)
			}
			if got := strings.Join(policy.NeedWorker(), " "); got != row.needing {
				t.Errorf("%q need the worker, want %q", got, row.needing)
			}
		})
	}
}

// Only the policy's own file can do without the worker, and any file can require it.
func TestWorkerIsRequired(t *testing.T) {
	const rule = `rules: [{id: a, allow: "https://a.example"}]`
	for name, texts := range map[string]map[string]string{
		"by saying nothing":   {"policy.yaml": rule},
		"by saying so":        {"policy.yaml": "worker: required\n" + rule},
		"by an included file": {"policy.yaml": "worker: preferred\ninclude: [other.yaml]\n" + rule, "other.yaml": "worker: required\nrules: []"},
		"by a ceiling":        {"policy.yaml": "worker: preferred\ninclude: [other.yaml]\n" + rule, "other.yaml": "ceiling: true\nworker: required\n" + strings.ReplaceAll(rule, "id: a", "id: b")},
	} {
		policy := mustLoad(t, texts)
		if policy.WithoutWorker() != nil || policy.NeedWorker() != nil || policy.Worker == rules.WorkerPreferred {
			t.Errorf("%s: without the worker there is %+v", name, policy.WithoutWorker())
		}
	}
	_, err := loadFiles(t, map[string]string{"policy.yaml": "include: [other.yaml]\n" + rule, "other.yaml": "worker: preferred\nrules: []"})
	if err == nil || !strings.Contains(fmt.Sprint(err), "only the policy's own file says it") {
		t.Errorf("preferred in an included file: %v", err)
	}
}
