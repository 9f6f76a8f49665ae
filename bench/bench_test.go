package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// The same numbers draw the same workload, and it has the properties that the package
// promises.
func TestWorkload(t *testing.T) {
	const size = 2_000
	w := draw(1, size)
	if !reflect.DeepEqual(w, draw(1, size)) || reflect.DeepEqual(w, draw(2, size)) {
		t.Error("the workload does not depend on the seed alone")
	}
	policy, err := rules.Parse("rules.yaml", yaml(w.rules))
	if err != nil {
		t.Fatal(err)
	}
	scan, err := newLinear(w.rules, w.urls)
	if err != nil {
		t.Fatal(err)
	}
	contender := ours{firewall.New(policy), w.urls}
	hits, length := 0, 0
	for _, url := range w.urls {
		v := contender.decide(url)
		if (v.Action == rules.Allow) != scan.allows(url) {
			t.Errorf("%s: ours says %s, the linear scan something else", url, v.Action)
		}
		if v.Rule != "" {
			hits++
		}
		if v.Code != rules.CodeRule && v.Code != rules.CodeDefault {
			t.Errorf("%s: %s", url, v.Reason)
		}
		length += len(url)
	}
	if hits < requests*35/100 || hits > requests*50/100 {
		t.Errorf("a rule decides %d of %d requests", hits, requests)
	}
	if mean := length / requests; mean < 60 || mean > 90 {
		t.Errorf("a URL has %d bytes on average", mean)
	}
	if w.hosts < size/2 || w.hosts > size*7/10 {
		t.Errorf("%d rules speak of %d hosts", size, w.hosts)
	}
	if n := strings.Count(adblock(w.rules), "\n"); n != size {
		t.Errorf("%d of %d rules are written for ad blockers", n, size)
	}
}

// The parser accepts the largest policy.
func TestLargestPolicy(t *testing.T) {
	source := yaml(draw(1, 100_000).rules)
	if len(source) > 8<<20 {
		t.Errorf("it has %d bytes, more than a file may", len(source))
	}
}

// Each trial's policy is accepted, and its URL is short enough to be judged.
func TestTrials(t *testing.T) {
	all := append(append(shapes(ordinaryPolicy(1)), wildcards()...), limits()...)
	for _, c := range all {
		if _, err := rules.Parse("rules.yaml", []byte(c.policy)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(c.url) > longest {
			t.Errorf("%s: the URL has %d bytes", c.name, len(c.url))
		}
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{grouped(0), "0"}, {grouped(999.6), "1,000"}, {grouped(1_234_567), "1,234,567"},
		{significant(0.00004321), "0.000043"}, {significant(0.5), "0.50"}, {significant(3.14159), "3.1"}, {significant(12.5), "13"}, {significant(10_000), "10,000"},
		{ratio(samples{3, 2}, samples{8, 4}), "0.50 ×"},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	if s := (samples{4, 1, 3, 2}); s.least() != 1 || s.median() != 2.5 {
		t.Errorf("least %v, median %v", s.least(), s.median())
	}
}
