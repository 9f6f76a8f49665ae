package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/bellglass/bellglass/rules"
)

// compareAll measures the contenders on ordinary rules and requests.
func compareAll(node *nodeProcess, sizes []int, seed uint64, e effort) error {
	times := &table{head: []string{"rules", "ours, Go", "ours, V8", "ours, V8, judge alone", "linear, Go", "urlfilter, Go", "Ghostery, Node", "net/url.Parse", "new URL, V8"}}
	ratios := &table{head: []string{"rules", "Go: ours / linear", "Go: ours / urlfilter", "V8: ours / Ghostery", "ours, Go / net/url.Parse", "ours, V8 / new URL", "requests that a rule decides", "allowed"}}
	var arenas []*arena
	for _, size := range sizes {
		progress("%s rules: building", grouped(float64(size)))
		a, err := prepare(node, draw(seed, size), e)
		if err != nil {
			return fmt.Errorf("%d rules: %w", size, err)
		}
		actions, err := checkNode(node, a.inGo)
		if err != nil {
			return fmt.Errorf("%d rules: %w", size, err)
		}
		if err := checkLinear(a.scan, actions); err != nil {
			return fmt.Errorf("%d rules: %w", size, err)
		}
		progress("  measuring")
		cells, err := measure([]contender{
			a.inGo, inNode{node, "decide"}, inNode{node, "judge"}, a.scan, a.adguard, inNode{node, "ghostery"}, parsing(a.urls), inNode{node, "parse"},
		}, len(a.urls), e)
		if err != nil {
			return fmt.Errorf("%d rules: %w", size, err)
		}
		row := []string{grouped(float64(size))}
		for _, c := range cells {
			row = append(row, c.String())
		}
		times.add(row...)
		inGo, inV8, scan, adguard, ghostery, parse, newURL := cells[0].samples, cells[1].samples, cells[3].samples, cells[4].samples, cells[5].samples, cells[6].samples, cells[7].samples
		ruled, allowed := a.share(actions)
		ratios.add(row[0], ratio(inGo, scan), ratio(inGo, adguard), ratio(inV8, ghostery), ratio(inGo, parse), ratio(inV8, newURL), ruled, allowed)
		// The tables of build costs need no engines. Free them, so that they do not
		// disturb the next ones.
		a.scan, a.adguard, a.inGo = nil, nil, ours{}
		arenas = append(arenas, a)
	}
	fmt.Printf("## A decision\n\nNanoseconds, the least and the median batch.\n\n%s\n", times)
	fmt.Printf("Ratios of the least batches; less than 1 is faster than the reference.\n\n%s\n", ratios)
	fmt.Printf("## Building\n\nMilliseconds, the least and the median of %d times. `rules.Parse` includes the YAML library, all checks and the program.\n\n%s\n", e.builds, buildTable(arenas))
	fmt.Printf("Bytes for each rule. The program is what goes to the worker. In Go, the others are what stays on the heap, before the first request.\n\n%s\n", sizeTable(arenas))
	return nil
}

// share returns how many requests a rule decides, and how many are allowed.
func (a *arena) share(actions []rules.Action) (ruled, allowed string) {
	var byRule, pass float64
	for i, url := range a.urls {
		if a.inGo.decide(url).Rule != "" {
			byRule++
		}
		if actions[i] == rules.Allow {
			pass++
		}
	}
	n := float64(len(a.urls))
	return grouped(100*byRule/n) + " %", grouped(100*pass/n) + " %"
}

// printMachine prints what the figures were measured on.
func printMachine(node *nodeProcess, seed uint64) {
	fmt.Printf("# Decisions against rules\n\n%s %s/%s · Node %s, V8 %s · %s, %d cores · Ghostery %s · seed %d · %s\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, node.versions.Node, node.versions.V8, cpu(), runtime.NumCPU(), node.versions.Ghostery, seed, time.Now().UTC().Format(time.DateOnly))
	sample := draw(seed, 10)
	fmt.Printf("A pattern is like `%s`, a request like `%s`.\n\n", sample.rules[0].pattern(), sample.urls[0])
}

// cpu returns the processor's name, if the system tells it.
func cpu() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
