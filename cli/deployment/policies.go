package deployment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
)

const checkPolicies = "policies"

// judgePolicies compares the headers with the strictest that Bellglass sends, those of
// a refusal and of data. Another version may send more.
func (p *prober) judgePolicies(s *site, r *reply) {
	f := Finding{Check: checkPolicies, Of: s.template}
	const csp = "Content-Security-Policy"
	var missing, twice, changed []string
	sent := (&firewall.Firewall{}).Headers(firewall.Refusal, firewall.Site{})
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		values := r.header.Values(name)
		switch {
		case len(values) == 0:
			missing = append(missing, name)
		case len(values) > 1 || name == csp && strings.Contains(values[0], ","): // a comma begins another policy
			twice = append(twice, name)
		case name == csp && !strings.HasPrefix(values[0], "default-src 'none';"), name != csp && values[0] != sent.Get(name):
			changed = append(changed, name)
		}
	}
	listed := func(names []string) string { return strings.Join(names, ", ") }
	const why = "Without them a sandbox is not contained."
	switch {
	case len(missing) > 0:
		f.Seen, f.Advice = fmt.Sprintf("Headers are missing: %s. %s", listed(missing), why), "Remove what takes them away from the proxy, such as proxy_hide_header in nginx or header -NAME in Caddy."
	case len(changed) > 0:
		f.Seen, f.Advice = fmt.Sprintf("Headers are not as Bellglass sends them: %s. %s", listed(changed), why), "Remove what sets them from the proxy, and use doctor and server of one version."
	case len(twice) > 0:
		f.Seen = fmt.Sprintf("Headers come more than once: %s. Browsers enforce each policy, so sandboxes may be blocked by one that is not theirs.", listed(twice))
		f.Advice = "Remove what adds them from the proxy, such as add_header in nginx or header in Caddy."
		p.add(Warning, f)
		return
	default:
		f.Seen = "All policies arrive, once each."
		p.add(OK, f)
		return
	}
	p.add(Problem, f)
}
