// Command bench measures how long it takes to decide requests against rules,
// side by side in one run with other engines, and prints tables in Markdown. It
// claims nothing about a time by itself: machines differ, and neighbours make
// noise. What it shows is ratios.
//
//	cd bench && go run . [--rules 10,100,1000] [--quick]
//
// It is a module of its own, so that the references are dependencies of nobody
// else. It needs Node with npm, which fetches one of them.
//
// # The contenders
//
//   - ours in Go: firewall.Decide on the URL as text.
//   - ours in V8: decide of sw/src, bundled as the worker is, on the same program
//     and the same URLs; and judge, which is decide without the names of rule and
//     file.
//   - linear: a scan over globs of gobwas/glob, one for each host and path, and
//     net/url for the URL; what one would write in an hour.
//   - urlfilter: AdGuard's engine in Go; the time is that of making its request
//     and matching it, as its users must.
//   - Ghostery: @ghostery/adblocker in Node, likewise.
//   - net/url.Parse and new URL: what each language takes to read the URL, and
//     nothing more. Ours reads it too. They are the measure of the machine, by
//     which the other times can be compared with those of another.
//
// # What can be compared, and what not
//
// All contenders get the same rules and the same URLs. The linear scan means the
// same as ours, and the run stops when the two ever disagree. The rules of ad
// blockers do not: they allow by default, an exception wins over a block, "||"
// takes in all subdomains, and neither the scheme nor the end of a path can be
// said exactly. So they do as much work, and do not give the same answers.
//
// # How it is measured
//
// Each cell is many short batches, and the contenders take turns, so that a noisy
// moment hits all of them. A cell shows the least and the median batch. Ratios
// are of the least, because other programs only ever add to a time. Each batch
// walks the same 2,000 URLs in the same order; a contender that is too slow for
// this walks fewer, and its cell says so. The number of requests that were
// allowed comes out of every batch and must be the same each time, so no
// compiler can leave the work out.
//
// The files: workload.go and requests.go draw rules and URLs, render.go writes
// them down; ours.go, linear.go, urlfilter.go and node.go are the contenders (parsing.go holds the plainest),
// measure.go and build.go hold the clock, check.go compares the answers;
// hostile.go and cases.go are the inputs that are meant to be slow.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	sizes := flag.String("rules", "", "the numbers of rules, with commas between them (default 10,100,1000,10000,100000; with --quick 10,1000)")
	quick := flag.Bool("quick", false, "fewer and shorter batches, for a look")
	seed := flag.Uint64("seed", 1, "draws other rules and other requests")
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
		return fmt.Errorf("%q is no flag; see --help", flag.Arg(0))
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
			return nil, fmt.Errorf("--rules %s: %q is no number from 5 to 100000", list, text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
