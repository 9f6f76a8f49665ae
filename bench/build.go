package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	yamllib "go.yaml.in/yaml/v4"
)

// An arena holds all contenders, ready to decide the requests of one workload.
type arena struct {
	*workload
	source  []byte // the policy
	program program
	inGo    ours
	scan    *linear
	adguard *adguard
	built   built
}

// A built records what building the contenders cost: times, and bytes that stay in
// memory.
type built struct {
	yaml, parse, open, openV8, scan, adguard, ghostery  samples
	policyBytes, scanBytes, adguardBytes, ghosteryBytes float64
}

func prepare(node *nodeProcess, w *workload, e effort) (*arena, error) {
	a := &arena{workload: w, source: yaml(w.rules)}
	filters := adblock(w.rules)
	b := &a.built
	if err := node.give(w.urls); err != nil {
		return nil, err
	}
	var policy *rules.Policy
	var err error
	if b.yaml, _, err = building(e.builds, func() error { return loadYAML(a.source) }); err != nil {
		return nil, err
	}
	if b.parse, b.policyBytes, err = building(e.builds, func() (err error) {
		policy, err = rules.Parse("rules.yaml", a.source)
		return err
	}); err != nil {
		return nil, err
	}
	a.program = programOf(policy)
	a.inGo = ours{firewall.New(policy), w.urls}
	if b.open, _, err = building(e.builds, a.program.open); err != nil {
		return nil, err
	}
	if b.openV8, err = node.open(a.program, e.builds); err != nil {
		return nil, err
	}
	if b.scan, b.scanBytes, err = building(e.builds, func() (err error) {
		a.scan, err = newLinear(w.rules, w.urls)
		return err
	}); err != nil {
		return nil, fmt.Errorf("the linear scan: %w", err)
	}
	if b.adguard, b.adguardBytes, err = building(e.builds, func() (err error) {
		a.adguard, err = newAdguard(w.rules, filters, w.urls)
		return err
	}); err != nil {
		return nil, err
	}
	var ghostery struct {
		NS    samples
		Bytes float64
	}
	err = node.call("filters", map[string]any{"text": filters, "times": e.builds}, &ghostery)
	b.ghostery, b.ghosteryBytes = ghostery.NS, ghostery.Bytes
	return a, err
}

// loadYAML does the part of rules.Parse that the YAML library does.
func loadYAML(source []byte) error {
	loader, err := yamllib.NewLoader(bytes.NewReader(source))
	if err != nil {
		return err
	}
	var root, second yamllib.Node
	if err := loader.Load(&root); err != nil {
		return err
	}
	if err := loader.Load(&second); err != io.EOF {
		return fmt.Errorf("the policy has a second document, or is broken: %w", err)
	}
	return nil
}

// building runs make several times and measures it. bytes is the memory that the last
// result keeps.
func building(times int, build func() error) (took samples, kept float64, err error) {
	var before, after runtime.MemStats
	for i := range times {
		runtime.GC()
		if i == 0 {
			runtime.ReadMemStats(&before)
		}
		begin := time.Now()
		if err := build(); err != nil {
			return nil, 0, err
		}
		took = append(took, float64(time.Since(begin)))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	return took, float64(after.HeapAlloc) - float64(before.HeapAlloc), nil
}

// buildTable returns a table with one row for each number of rules.
func buildTable(arenas []*arena) *table {
	t := &table{head: []string{
		"rules", "policy, KB", "YAML library alone, ms", "rules.Parse, ms", "open in Go, ms", "open in V8, ms",
		"linear: compile, ms", "urlfilter: build, ms", "Ghostery: build, ms",
	}}
	for _, a := range arenas {
		b := a.built
		t.add(grouped(float64(len(a.rules))), grouped(float64(len(a.source))/1e3), b.yaml.milliseconds(), b.parse.milliseconds(), b.open.milliseconds(), b.openV8.milliseconds(),
			b.scan.milliseconds(), b.adguard.milliseconds(), b.ghostery.milliseconds())
	}
	return t
}

func sizeTable(arenas []*arena) *table {
	t := &table{head: []string{"rules", "hosts", "program", "policy and program in Go", "linear", "urlfilter", "Ghostery, serialized"}}
	for _, a := range arenas {
		n, b := float64(len(a.rules)), a.built
		row := []string{grouped(n), grouped(float64(a.hosts))}
		for _, size := range []float64{float64(len(a.program)), b.policyBytes, b.scanBytes, b.adguardBytes, b.ghosteryBytes} {
			row = append(row, grouped(size/n))
		}
		t.add(row...)
	}
	return t
}
