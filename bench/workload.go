package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A rule is what each contender gets in its own language.
type rule struct {
	allow        bool
	scheme, host string // host has stars as in our patterns
	port         int    // 0 is the scheme's default
	path         string // "" matches any path
}

const anyPort = -1

// A workload is a set of rules and the requests that they decide.
type workload struct {
	rules []rule
	urls  []string
	hosts int
}

// requests is how many URLs a workload has.
const requests = 2_000

// draw returns a workload. The same numbers draw the same workload.
func draw(seed uint64, rules int) *workload {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, uint64(rules))), taken: map[string]bool{}}
	for len(d.allowedDomains) < 40 {
		d.allowedDomains = append(d.allowedDomains, d.newDomain())
	}
	w := &workload{}
	for i := range rules {
		w.rules = append(w.rules, d.rule(i%5 == 1 || i%5 == 3))
	}
	w.hosts = len(d.allowed) + len(d.blocked)
	for range requests {
		w.urls = append(w.urls, d.url(w.rules))
	}
	return w
}

type drawer struct {
	*rand.Rand
	taken                          map[string]bool // domains and hosts that exist already
	allowedDomains, blockedDomains []string
	allowed, blocked               []string // the hosts that rules name
}

// rule draws one rule. Allow rules share a few domains, because they have to fit into
// headers. They name a type, because a header repeats a source for each type.
func (d *drawer) rule(allow bool) rule {
	r := rule{allow: allow, scheme: "https", host: d.host(allow), path: d.path()}
	if !allow && d.chance(10) {
		r.scheme = "http"
	}
	switch n := d.IntN(100); {
	case n < 28:
		r.host = "*." + r.host
	case n < 38:
		r.host = pick(d, labels) + "-*." + r.host
	}
	switch n := d.IntN(100); {
	case n < 4:
		r.port = 8443
	case n < 6:
		r.port = anyPort
	}
	return r
}

// host draws the literal part of a rule's host. Each allow rule names a new one. Block
// rules mostly name hosts that have rules already, some of them far more often than
// others, and sometimes hosts that are allowed.
func (d *drawer) host(allow bool) string {
	hosts, domains := &d.blocked, &d.blockedDomains
	if allow || d.chance(5) && len(d.allowed) > 0 {
		hosts, domains = &d.allowed, &d.allowedDomains
	}
	if len(*hosts) > 0 && d.chance(40) {
		at := d.Float64()
		return (*hosts)[int(at*at*float64(len(*hosts)))]
	}
	for {
		if domains == &d.blockedDomains && (len(*domains) == 0 || d.chance(60)) {
			*domains = append(*domains, d.newDomain())
		}
		host := d.below(pick(d, *domains))
		if !d.taken[host] {
			d.taken[host] = true
			*hosts = append(*hosts, host)
			return host
		}
	}
}

func (d *drawer) below(domain string) string {
	host := pick(d, labels) + d.number(60) + "." + domain
	if d.chance(30) {
		host = pick(d, labels) + d.number(30) + "." + host
	}
	return host
}

// newDomain returns a name below a domain that nobody can own (RFC 2606).
func (d *drawer) newDomain() string {
	for {
		domain := pick(d, words) + pick(d, words) + d.number(50) + "." + pick(d, []string{"example", "test"})
		if !d.taken[domain] {
			d.taken[domain] = true
			return domain
		}
	}
}

func (d *drawer) path() string {
	switch n := d.IntN(100); {
	case n < 35:
		return ""
	case n < 60:
		return d.directories() + "/**"
	case n < 80:
		return d.directories() + "/" + d.file()
	case n < 92:
		return "/" + pick(d, words) + "/*/" + pick(d, words)
	default:
		return d.directories() + "/" + pick(d, words) + "-*.js"
	}
}

func (d *drawer) directories() string {
	return "/" + pick(d, directories) + "/" + pick(d, words)
}

func (d *drawer) file() string {
	return pick(d, words) + d.number(50) + pick(d, []string{".js", ".css", ".json", ".png", ".woff2"})
}

// number returns a number in percent of 100 cases, otherwise "".
func (d *drawer) number(percent int) string {
	if !d.chance(percent) {
		return ""
	}
	return fmt.Sprint(d.IntN(100))
}

func (d *drawer) chance(percent int) bool { return d.IntN(100) < percent }

func pick(d *drawer, list []string) string { return list[d.IntN(len(list))] }

var (
	labels      = strings.Fields("www api cdn img static assets media metrics events stats login auth data edge eu us app shop blog docs")
	directories = strings.Fields("api v1 v2 assets static js css img media users items orders search dist npm lib")
	words       = strings.Fields("amber brisk cedar delta ember frost grove haven ivory jolly kite lunar maple noble ocean pearl quill river " +
		"solar tiger umber vivid willow zephyr acorn birch cloud dusk echo fable glint harbor indigo juniper koala lotus meadow nectar orbit prism")
)
