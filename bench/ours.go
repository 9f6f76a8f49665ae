package main

import (
	"encoding/base64"
	"time"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	compiled "github.com/bellglass/bellglass/rules/program"
)

// A program is what the worker receives. Only this file and node/ours.js know its form.
type program []byte

func programOf(p *rules.Policy) program { return p.Program().Bytes() }

func (p program) base64() string { return base64.StdEncoding.EncodeToString(p) }

func (p program) open() error {
	_, err := compiled.Open(p)
	return err
}

// An ours is our own firewall.
type ours struct {
	firewall *firewall.Firewall
	urls     []string
}

func (c ours) decide(url string) firewall.Verdict {
	return c.firewall.Decide(firewall.Request{Method: "GET", URL: url, Type: rules.TypeFetch})
}

func (c ours) Run(requests, passes int) (time.Duration, int, error) {
	allowed := 0
	begin := time.Now()
	for range passes {
		for _, url := range c.urls[:requests] {
			if c.decide(url).Action == rules.Allow {
				allowed++
			}
		}
	}
	return time.Since(begin), allowed, nil
}
