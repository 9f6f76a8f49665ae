package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// A trial is one URL decided under one policy.
type trial struct {
	name   string
	policy string
	url    string
}

// A timing is how long one decision takes in Go and in V8.
type timing struct{ inGo, inV8 samples }

// measureHostile measures inputs that are meant to be slow, beside harmless URLs of the
// same length.
func measureHostile(node *nodeProcess, seed uint64, e effort) error {
	fmt.Printf("## Patterns that make other matchers slow\n\n%s\n", refusals())

	ordinary := ordinaryPolicy(seed)
	var all []timing
	progress("ordinary URLs of %d bytes", longest)
	for i, url := range ordinaryURLs(seed) {
		t, err := try(node, trial{fmt.Sprint("ordinary ", i), ordinary, url}, e)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	usual := timing{usualOf(all, func(t timing) samples { return t.inGo }), usualOf(all, func(t timing) samples { return t.inV8 })}

	t := &table{head: []string{"what", "Go, ns", "× ordinary", "V8, ns", "× ordinary"}}
	t.add(fmt.Sprintf("%d ordinary URLs of %s bytes, 1,000 rules", len(all), grouped(longest)), grouped(usual.inGo.least()), "1", grouped(usual.inV8.least()), "1")
	var slowGo, slowV8 samples
	for _, group := range []struct {
		name   string
		trials []trial
	}{{"slowest URL, under an ordinary policy", shapes(ordinary)}, {"slowest so far", wildcards()}, {"slowest", limits()}} {
		for _, c := range group.trials {
			progress("%s", c.name)
			got, err := try(node, c, e)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			t.add(c.name, grouped(got.inGo.least()), ratio(got.inGo, usual.inGo), grouped(got.inV8.least()), ratio(got.inV8, usual.inV8))
			slowGo, slowV8 = slower(slowGo, got.inGo), slower(slowV8, got.inV8)
		}
		t.add("**"+group.name+" / ordinary**", "", "**"+ratio(slowGo, usual.inGo)+"**", "", "**"+ratio(slowV8, usual.inV8)+"**")
	}
	fmt.Printf("## Inputs that are meant to be slow\n\nThe least batch of one decision. A target of the design: no more than 100 times the ordinary.\n\n%s\n", t)
	return nil
}

func slower(a, b samples) samples {
	if a == nil || b.least() > a.least() {
		return b
	}
	return a
}

// usualOf returns the median of the fastest batches.
func usualOf(all []timing, of func(timing) samples) samples {
	var each samples
	for _, t := range all {
		each = append(each, of(t).least())
	}
	return samples{each.median()}
}

// try measures one decision, many times.
func try(node *nodeProcess, c trial, e effort) (timing, error) {
	if len(c.url) > longest {
		return timing{}, fmt.Errorf("the URL has %d bytes, more than are judged", len(c.url))
	}
	policy, err := rules.Parse("rules.yaml", []byte(c.policy))
	if err != nil {
		return timing{}, err
	}
	urls := []string{c.url}
	inGo := ours{firewall.New(policy), urls}
	if err := node.give(urls); err != nil {
		return timing{}, err
	}
	if _, err := node.open(programOf(policy), 1); err != nil {
		return timing{}, err
	}
	if _, err := checkNode(node, inGo); err != nil {
		return timing{}, err
	}
	e.batches, e.warm = max(e.batches/3, 5), e.warm/3
	cells, err := measure([]contender{inGo, inNode{node, "decide"}}, 1, e)
	if err != nil {
		return timing{}, err
	}
	return timing{cells[0].samples, cells[1].samples}, nil
}

// refusals shows what the parser says about patterns for which regular expressions and
// glob engines need more than linear time.
func refusals() *table {
	t := &table{head: []string{"pattern", "rules.Parse says"}}
	for _, path := range []string{"/*a*a*[b]/x", "/*a*a*a*b/", "/*[b]/x", "/**/*[b]/**/*[b]/x", "/" + strings.Repeat("{a,aa}", 20), "/{*a,*b}{*a,*b}{*a,*b}"} {
		said := "taken"
		_, err := rules.Parse("rules.yaml", []byte(block("'"+site+path+"'")))
		if mistakes := (rules.Errors)(nil); errors.As(err, &mistakes) {
			said = "refused: " + mistakes[0].Msg
		}
		t.add("`"+path+"`", said)
	}
	return t
}
