package mcpapps

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// A Profile names a host whose deviations from the specification apply. Under a host's
// profile an app gets what it would get there.
type Profile string

// The profiles. [ProfileSpec] is the default.
const (
	ProfileSpec    Profile = "spec"
	ProfileChatGPT Profile = "chatgpt"
	ProfileClaude  Profile = "claude"
)

// Profiles lists the profiles.
var Profiles = []Profile{ProfileSpec, ProfileChatGPT, ProfileClaude}

// A deviation is how a host differs from the specification. The zero deviation is none.
type deviation struct {
	// adds are domains that every app gets.
	adds CSP
	// ignores are the lists that the host does not read.
	ignores []string
	// secure: the host drops entries for http and ws.
	secure bool
	// scripts are allowed besides inline scripts.
	scripts []rules.Script
	// sources are allowed for the document itself, besides those of the specification.
	sources firewall.Baseline
}

// The hosts do not publish their policies. These values come from public observations.
// ChatGPT: its makers in ext-apps#434 (February 2026), and a policy of its desktop
// application (August 2026). Claude: claude-ai-mcp#40 and #375, and a policy that its
// sandbox sent (May to August 2026).
var deviations = map[Profile]deviation{
	ProfileSpec: {},
	ProfileChatGPT: {
		adds: CSP{
			ConnectDomains:  slices.Clone(chatGPTDomains),
			ResourceDomains: slices.Clone(chatGPTDomains),
		},
		scripts: []rules.Script{rules.ScriptBlob},
	},
	ProfileClaude: {
		ignores: []string{frameDomains, baseURIDomains},
		secure:  true,
		scripts: []rules.Script{rules.ScriptEval, rules.ScriptBlob},
		sources: firewall.Baseline{"script-src": {"data:"}, "img-src": {"blob:"}},
	},
}

// chatGPTDomains are the known ones; there are more.
var chatGPTDomains = []string{"https://cdn.tailwindcss.com", "https://cdn.jsdelivr.net", "https://unpkg.com", "https://esm.sh", "https://*.oaiusercontent.com"}

// deviation returns the profile's deviation, or an error for an unknown profile.
func (p Profile) deviation() (deviation, error) {
	if p == "" {
		p = ProfileSpec
	}
	d, found := deviations[p]
	if !found {
		return d, fmt.Errorf("mcpapps: no profile %.50q; the profiles are %s", p, strings.Trim(fmt.Sprint(Profiles), "[]"))
	}
	return d, nil
}

// apply returns the part of a declaration that such a host reads, and a cut for each
// other entry.
func (d deviation) apply(declared CSP, name Profile) (read CSP, cuts []Cut) {
	lists := map[string][]string{}
	for _, list := range declared.lists() {
		for _, entry := range list.entries {
			reason := ""
			switch {
			case slices.Contains(d.ignores, list.field):
				reason = fmt.Sprintf("the profile %s has no %s, because that host does not read it", name, list.field)
			case d.secure && isInsecure(entry):
				reason = fmt.Sprintf("the profile %s takes https and wss alone, as that host does", name)
			}
			if reason == "" {
				lists[list.field] = append(lists[list.field], entry)
			} else {
				cuts = append(cuts, Cut{list.field, entry, reason})
			}
		}
	}
	for _, list := range d.adds.lists() {
		lists[list.field] = append(lists[list.field], list.entries...)
	}
	return CSP{lists[connectDomains], lists[resourceDomains], lists[frameDomains], lists[baseURIDomains]}, cuts
}

func isInsecure(entry string) bool {
	d, err := parseDomain(entry)
	return err == nil && (d.scheme == "http" || d.scheme == "ws")
}

// baseline returns the specification's baseline with the profile's additions.
func (d deviation) baseline(baseURI []string) firewall.Baseline {
	b := maps.Clone(firewall.MCPApp(baseURI))
	for directive, sources := range d.sources {
		b[directive] = append(slices.Clone(b[directive]), sources...)
	}
	return b
}

// list returns the value of the key scripts for a generated file.
func (d deviation) list() string {
	all := []string{string(rules.ScriptInline)}
	for _, script := range d.scripts {
		all = append(all, string(script))
	}
	return strings.Join(all, ", ")
}
