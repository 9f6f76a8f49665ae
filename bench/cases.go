package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// longest is the length in bytes up to which a URL is judged.
const longest = 8 << 10

// site begins the URLs of the trials. Some rules name it.
const site = "https://www.a.example"

// ordinaryPolicy returns a workload's policy plus rules for the site.
func ordinaryPolicy(seed uint64) string {
	return string(yaml(append(draw(seed, 1_000).rules,
		rule{allow: true, scheme: "https", host: "www.a.example", path: "/a/*/x"},
		rule{scheme: "https", host: "www.a.example", path: "/**/b-*.js"},
		rule{scheme: "https", host: "*.a.example", path: "/private/**"},
	)))
}

// ordinaryURLs returns URLs of the greatest length that otherwise look like those of
// real pages: some directories, and a long query or a long path.
func ordinaryURLs(seed uint64) []string {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, longest)), taken: map[string]bool{}}
	var all []string
	for i := range 16 {
		url := site + d.directories()
		for i%2 == 0 && len(url) < longest/2 {
			url += d.directories()
		}
		url += "/" + d.file() + "?id=1"
		for len(url) < longest {
			url += fmt.Sprintf("&%s=%x", pick(d, words), d.Uint64())
		}
		all = append(all, url[:longest])
	}
	return all
}

// fill repeats a piece until the URL has the greatest length.
func fill(url, piece string) string {
	return url + strings.Repeat(piece, (longest-len(url))/len(piece))
}

// block returns a policy with one block rule of these patterns.
func block(patterns ...string) string {
	return "version: 1\nrules:\n- block:\n  - " + strings.Join(patterns, "\n  - ") + "\n"
}

// times returns count patterns, in which %d is replaced by the number of each.
func times(count int, pattern string) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprintf(pattern, i))
	}
	return all
}

// shapes returns URLs that a page can construct, under an ordinary policy.
func shapes(ordinary string) []trial {
	deep := strings.Repeat("a.", 100) + "example"
	return []trial{
		{"path of slashes", ordinary, fill(site, "/")},
		{"path of one-letter segments", ordinary, fill(site, "/a")},
		{"path of needless percent-encodings", ordinary, fill(site+"/", "%41")},
		{"path of percent-encodings", ordinary, fill(site+"/", "%E2")},
		{"path of characters that a server may read encoded", ordinary, fill(site+"/", "[")},
		{"path of segments that begin with a dot", ordinary, fill(site, "/.a")},
		{"one long segment", ordinary, fill(site+"/", "a")},
		{"long query", ordinary, fill(site+"/?", "a=b&")},
		{"query of percent signs", ordinary, fill(site+"/?", "%")},
		{"long fragment", ordinary, fill(site+"/#", "a")},
		{"host of 100 labels", ordinary, "https://" + deep + "/"},
		{"host of 100 labels, long path", ordinary, fill("https://"+deep+"/", "a/")},
		{"host of 4,000 labels", ordinary, "https://" + strings.Repeat("a.", 4_000) + "example/"},
		{"host of 100 internationalized labels", ordinary, "https://" + strings.Repeat("xn--bcher-kva.", 100) + "example/"},
		{"host of 500 internationalized labels", ordinary, "https://" + strings.Repeat("xn--bcher-kva.", 500) + "example/"},
		{"user name of 8,000 letters", ordinary, "https://" + strings.Repeat("a", 8_000) + "@a.example/"},
		{"IPv6 address, long path", ordinary, fill("https://[2001:db8::1]/", "a/")},
	}
}

// wildcards returns patterns whose comparison backtracks.
func wildcards() []trial {
	pattern := site + "/**/a*b/**/c*d"
	return []trial{
		{"`/**/a*b/**/c*d`, path /a/a/a…", block(pattern), fill(site, "/a")},
		{"`/**/a*b/**/c*d`, path /ab/ab/ab…", block(pattern), fill(site, "/ab")},
		{"`/**/a*b/**/c*d`, path /ab/cx/ab/cx…", block(pattern), fill(site, "/ab/cx")},
		{"ten `/**/a*b` in a pattern, path /ab/ab/ab…", block(site + strings.Repeat("/**/a*b", 10) + "/**/c"), fill(site, "/ab")},
		{"`/**/a/a/a…/b` (100 segments), path /a/a/a…", block(site + "/**" + strings.Repeat("/a", 100) + "/b"), fill(site, "/a")},
		{"`/**/*a/*a…/b` (70 segments), path /a/a/a…", block(site + "/**" + strings.Repeat("/*a", 70) + "/b"), fill(site, "/a")},
		{"32 patterns `/**/*a/*a…/bN`, path /a/a/a…", block(times(32, site+"/**"+strings.Repeat("/*a", 70)+"/b%d")...), fill(site, "/a")},
		{"`/**/aaa…*b` (200 letters), path of one segment", block(site + "/**/" + strings.Repeat("a", 200) + "*b"), fill(site+"/", "a")},
	}
}

// limits returns policies with as many rules as the parser accepts, all of which one
// request meets. Only the author of a policy can do this, to their own sandbox.
func limits() []trial {
	var ports, directories, labels []string
	for port := range 1_024 {
		ports = append(ports, fmt.Sprintf("%s:%d/a", site, port+1_000))
	}
	for depth := range 80 {
		directories = append(directories, site+strings.Repeat("/a", depth+1)+"/*b")
		labels = append(labels, "https://*."+strings.Repeat("a.", depth)+"a.example/*b")
	}
	exceptions := append(times(6, site+"/**/a*b/**/c*%d"), times(800, site+"/ab/*%d")...)
	host := "https://" + strings.Repeat("a.", 90) + "example"
	return []trial{
		{"1,024 patterns for one host and path", block(ports...), site + "/a"},
		{"6 patterns `/**/a*b/**/c*N`, path /a/a/a…", block(times(6, site+"/**/a*b/**/c*%d")...), fill(site, "/a")},
		{"2 patterns `/**/a/a/*b/**/c*N`, path /a/a/a…", block(times(2, site+"/**/a/a/*b/**/c*%d")...), fill(site, "/a")},
		{"80 patterns in 80 directories, each in the next", block(directories...), fill(site, "/a")},
		{"80 patterns for 80 hosts, each below the next", block(labels...), fill(host, "/a")},
		{"a block rule with 806 exceptions", block(site) + "  except:\n  - " + strings.Join(exceptions, "\n  - ") + "\n", fill(site, "/ab")},
	}
}
