package main

import (
	"net/url"
	"time"
)

// A parsing only parses the URLs, with the standard library.
type parsing []string

func (c parsing) Run(requests, passes int) (time.Duration, int, error) {
	read := 0
	begin := time.Now()
	for range passes {
		for _, raw := range c[:requests] {
			if u, err := url.Parse(raw); err == nil && u.Host != "" {
				read++
			}
		}
	}
	return time.Since(begin), read, nil
}
