package npm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"deps.dev/util/semver"
)

// A NoVersionError says that a registry has a package, but no version of it that was asked
// for.
type NoVersionError struct {
	Spec     Spec
	Registry string
	Tags     map[string]string
	Newest   []string // some versions, newest first
}

func (e *NoVersionError) Error() string {
	text := fmt.Sprintf("%s at %s has no version that matches %q", e.Spec.Name, e.Registry, e.Spec.Range)
	if len(e.Newest) > 0 {
		text += fmt.Sprintf("; the newest are %s", strings.Join(e.Newest, ", "))
	}
	if len(e.Tags) > 0 {
		var tags []string
		for tag := range e.Tags {
			tags = append(tags, tag)
		}
		slices.Sort(tags)
		text += fmt.Sprintf("; the tags are %s", strings.Join(tags[:min(len(tags), 10)], ", "))
	}
	return text + ". Ask for one of these"
}

// Pick returns the version that npm would choose: for a tag the version that has it, and for
// a range the version with the tag latest if it fits, else the highest that is not
// deprecated, else the highest. Versions for which fits is false come after all others. fits
// may be nil.
func (p *Packument) Pick(wanted string, fits func(*Manifest) bool) (*Manifest, error) {
	fail := &NoVersionError{Spec: Spec{Name: p.Name, Range: wanted}, Registry: p.Registry, Tags: p.Tags, Newest: p.newest()}
	if fits == nil {
		fits = func(*Manifest) bool { return true }
	}
	asked := parseRange(wanted)
	if asked == nil {
		if m := p.Versions[p.Tags[wanted]]; m != nil {
			return m, nil
		}
		return nil, fail
	}
	anything := strings.TrimSpace(wanted) == "*"
	latest := p.Versions[p.Tags["latest"]]
	if latest != nil && latest.Deprecated == "" && fits(latest) && (anything || asked.Match(latest.Version)) {
		return latest, nil
	}
	type candidate struct {
		*Manifest
		version *semver.Version
		fits    bool
	}
	var all []candidate
	for _, m := range p.Versions {
		v, err := semver.NPM.Parse(m.Version)
		if err == nil && asked.MatchVersion(v) {
			all = append(all, candidate{m, v, fits(m)})
		}
	}
	if len(all) == 0 {
		if latest != nil && anything {
			return latest, nil // all versions may be prereleases
		}
		return nil, fail
	}
	rank := func(c candidate) int {
		switch {
		case !c.fits:
			return 0
		case c.Deprecated != "":
			return 1
		}
		return 2
	}
	return slices.MaxFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.version.Compare(b.version), cmp.Compare(a.Version, b.Version))
	}).Manifest, nil
}

// newest returns some versions, newest first.
func (p *Packument) newest() []string {
	var all []string
	for version := range p.Versions {
		all = append(all, version)
	}
	slices.SortFunc(all, func(a, b string) int { return Compare(b, a) })
	return all[:min(len(all), 5)]
}
