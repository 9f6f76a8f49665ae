package rules

import (
	"strings"
	"testing"
)

// Matching takes time proportional to the length of the path, however many texts the stars in
// the pattern could stand for. So the longest pattern on the longest path ends at once.
// Backtracking would outlast any timeout.
func TestMatchingIsLinear(t *testing.T) {
	policy, err := Parse("policy.yaml", []byte("version: 1\nrules: [{allow: 'https://a.example.com"+strings.Repeat("/**/a*b", 30)+"/c'}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	decide := func(path string) Action {
		return policy.Program().Decide(Request{Method: "GET", URL: "https://a.example.com" + path, Type: TypeFetch}).Action
	}
	path := strings.Repeat("/aab", 2000)
	if decide(path) != Block {
		t.Error("matches a path that does not end in /c")
	}
	if decide(path+"/c") != Allow {
		t.Error("does not match a path that ends in /c")
	}
}

func TestZeroValuesAllowNothing(t *testing.T) {
	var policy *Policy
	for name, program := range map[string]*Program{"no program": nil, "zero program": {}, "no policy": policy.Program(), "zero policy": (&Policy{}).Program()} {
		r := Request{Method: "GET", URL: "https://example.com/", Type: TypeFetch}
		if v := program.Decide(r); v.Action != Block || v.Code != CodeNoProgram {
			t.Errorf("%s: %+v", name, v)
		}
		if m := program.Matches(r); len(m) > 0 {
			t.Errorf("%s: matches %v", name, m)
		}
	}
	if b := policy.Browser(); len(b.Directives)+len(b.Worker)+len(b.Patterns)+len(b.WorkerPatterns) > 0 {
		t.Errorf("no policy opens %+v", b)
	}
}
