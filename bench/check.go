package main

import (
	"fmt"

	"github.com/bellglass/bellglass/rules"
)

// pairs bounds the work of the linear scan: each pair is a rule and a request.
const pairs = 20_000_000

// checkNode stops the run if Go and V8 disagree on action or rule.
func checkNode(node *nodeProcess, inGo ours) ([]rules.Action, error) {
	var answers []struct {
		Action rules.Action
		Rule   string
	}
	if err := node.call("answers", nil, &answers); err != nil {
		return nil, err
	}
	actions := make([]rules.Action, len(inGo.urls))
	for i, url := range inGo.urls {
		v := inGo.decide(url)
		actions[i] = v.Action
		if answers[i].Action != v.Action || answers[i].Rule != v.Rule {
			return nil, fmt.Errorf("%.200s: Go says %s by rule %q, V8 %s by rule %q", url, v.Action, v.Rule, answers[i].Action, answers[i].Rule)
		}
	}
	return actions, nil
}

// checkLinear stops the run if the linear scan disagrees on the action. With many rules
// it checks only some of the requests.
func checkLinear(scan *linear, actions []rules.Action) error {
	count := min(len(actions), pairs/(len(scan.block)+len(scan.allow)))
	for i, url := range scan.urls[:count] {
		if allowed := scan.allows(url); allowed != (actions[i] == rules.Allow) {
			return fmt.Errorf("%s: ours says %s, the linear scan allows it: %v", url, actions[i], allowed)
		}
	}
	progress("  Go and V8 agree on %d requests, the linear scan on %d", len(actions), count)
	return nil
}
