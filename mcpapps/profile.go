package mcpapps

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// A Profile says what an app gets of its declaration. Some hosts keep to the specification
// in a way of their own; under the profile of such a host an app runs as it would there.
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
	// scripts are those that run beside inline ones.
	scripts []rules.Script
	// sources are those of the document itself that its directives have beside the
	// specification's.
	sources firewall.Baseline
}

// The hosts do not publish their policies. What stands here was seen by others from
// outside, and told in public: of ChatGPT by its makers in ext-apps#434 (February 2026) and
// in a policy of its desktop application (August 2026), of Claude in claude-ai-mcp#40 and
// #375 and in a policy that its sandbox sent (May to August 2026).
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

// chatGPTDomains are those that could be learned; there are more.
var chatGPTDomains = []string{"https://cdn.tailwindcss.com", "https://cdn.jsdelivr.net", "https://unpkg.com", "https://esm.sh", "https://*.oaiusercontent.com"}

// deviation returns the profile's, or an error for a profile that there is not.
func (p Profile) deviation() (deviation, error) {
	if p == "" {
		p = ProfileSpec
	}
	d, found := deviations[p]
	if !found {
		return d, fmt.Errorf("mcpapps: there is no profile %.50q; the profiles are %s", p, strings.Trim(fmt.Sprint(Profiles), "[]"))
	}
	return d, nil
}

// apply returns what such a host reads of a declaration, and a cut for each entry that it
// does not.
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

// baseline is the specification's with what the profile opens of the document itself.
func (d deviation) baseline(baseURI []string) firewall.Baseline {
	b := maps.Clone(firewall.MCPApp(baseURI))
	for directive, sources := range d.sources {
		b[directive] = append(slices.Clone(b[directive]), sources...)
	}
	return b
}

// list is the value of the key scripts in a generated file.
func (d deviation) list() string {
	all := []string{string(rules.ScriptInline)}
	for _, script := range d.scripts {
		all = append(all, string(script))
	}
	return strings.Join(all, ", ")
}
