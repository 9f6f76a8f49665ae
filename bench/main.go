// Command bench measures how long it takes to decide requests against rules, side by
// side with other engines in one run. It prints tables in Markdown. A time by itself
// proves nothing, because machines differ and other programs disturb. Read the ratios.
//
//	cd bench && go run . [--rules 10,100,1000] [--quick]
//
// It is a separate module, so that the reference engines are dependencies of nothing
// else. It needs Node with npm, which fetches one of them.
//
// # The contenders
//
//   - ours in Go: firewall.Decide on the URL as text.
//   - ours in V8: decide of sw/src, bundled as the worker is, on the same program and
//     the same URLs. "judge" is decide without the names of rule and file.
//   - linear: a scan over globs of gobwas/glob, one for each host and path, with
//     net/url for the URL. It is what one would write in an hour.
//   - urlfilter: AdGuard's engine in Go. The time includes making its request object,
//     as its users must.
//   - Ghostery: @ghostery/adblocker in Node, likewise.
//   - net/url.Parse and new URL: only parsing the URL, which ours does as well. They
//     calibrate the machine, so that the other times can be compared with those of
//     another machine.
//
// # What can be compared
//
// All contenders get the same rules and the same URLs. The linear scan has the same
// meaning as ours, and the run stops if the two ever disagree. The rules of ad blockers
// mean something else: they allow by default, an exception wins over a block, "||"
// includes all subdomains, and they cannot express a scheme or the end of a path
// exactly. So those engines do as much work but give other answers.
//
// # How it is measured
//
// Each cell is many short batches. The contenders take turns, so that a disturbance
// affects all of them. A cell shows the fastest and the median batch. Ratios are of the
// fastest, because other programs can only add time. Each batch walks the same 2,000
// URLs in the same order. A contender that is too slow for this walks fewer, and its
// cell says so. Each batch returns the number of allowed requests, which must be the
// same every time, so no compiler can skip the work.
//
// # Files
//
//   - workload.go, requests.go: draw rules and URLs.
//   - render.go: writes the rules in each contender's language.
//   - ours.go, linear.go, urlfilter.go, parsing.go, node.go: the contenders.
//   - measure.go, build.go: the clock.
//   - check.go: compares the answers.
//   - hostile.go, cases.go: inputs that are meant to be slow.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	sizes := flag.String("rules", "", "the numbers of rules, separated by commas (default 10,100,1000,10000,100000; with --quick 10,1000)")
	quick := flag.Bool("quick", false, "fewer and shorter batches, for a look")
	seed := flag.Uint64("seed", 1, "the seed that rules and requests are drawn from")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: go run . [flags]\n\nMeasures decisions against rules, beside other engines. Tables go to standard output, progress to standard error.\n\nFlags:")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(*sizes, *quick, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(list string, quick bool, seed uint64) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; see --help", flag.Arg(0))
	}
	sizes, err := parseSizes(list, quick)
	if err != nil {
		return err
	}
	effort := thorough
	if quick {
		effort = brief
	}
	node, err := startNode()
	if err != nil {
		return err
	}
	defer node.close()
	printMachine(node, seed)
	if err := compareAll(node, sizes, seed, effort); err != nil {
		return err
	}
	return measureHostile(node, seed, effort)
}

func parseSizes(list string, quick bool) ([]int, error) {
	if list == "" {
		list = "10,100,1000,10000,100000"
		if quick {
			list = "10,1000"
		}
	}
	var sizes []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 5 || n > 100_000 {
			return nil, fmt.Errorf("--rules %s: %q is not a number from 5 to 100000", list, text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
