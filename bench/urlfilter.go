package main

import (
	"fmt"
	"time"

	"github.com/AdguardTeam/urlfilter"
)

// An adguard is AdGuard's engine for the rules of ad blockers.
type adguard struct {
	engine *urlfilter.NetworkEngine
	urls   []string
}

func newAdguard(all []rule, text string, urls []string) (*adguard, error) {
	storage, err := urlfilter.NewRuleStorage([]urlfilter.RuleList{&urlfilter.StringRuleList{ID: 1, RulesText: text, IgnoreCosmetic: true}})
	if err != nil {
		return nil, err
	}
	engine := urlfilter.NewNetworkEngine(storage)
	if engine.RulesCount != len(all) {
		return nil, fmt.Errorf("urlfilter took %d of %d rules", engine.RulesCount, len(all))
	}
	return &adguard{engine, urls}, nil
}

func (c *adguard) Run(requests, passes int) (time.Duration, int, error) {
	allowed := 0
	begin := time.Now()
	for range passes {
		for _, url := range c.urls[:requests] {
			request := urlfilter.NewRequest(url, "https://sandbox.localhost/", urlfilter.TypeXmlhttprequest)
			if rule, ok := c.engine.Match(request); !ok || rule.Whitelist {
				allowed++
			}
		}
	}
	return time.Since(begin), allowed, nil
}
