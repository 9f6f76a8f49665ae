package npm

import (
	"fmt"
	"regexp"
	"strings"

	"deps.dev/util/semver"
)

// A Spec is what a dependency asks for: a package, and a range or a dist-tag.
type Spec struct {
	Name  string // of the package in the registry
	Range string // such as "^19.0.0" or "latest"; never empty
}

// validName also keeps a name from having a meaning in a path or a URL.
var validName = regexp.MustCompile(`^(@[a-zA-Z0-9~-][a-zA-Z0-9._~-]*/)?[a-zA-Z0-9~-][a-zA-Z0-9._~-]*$`)

// CheckName rejects what cannot be a package's name.
func CheckName(name string) error {
	if len(name) > 214 || !validName.MatchString(name) || name == "node_modules" {
		return fmt.Errorf("%.100q is not a package name; write it as the registry does, such as react or @scope/name", name)
	}
	return nil
}

// validVersion keeps a version from having a meaning in a path or a URL.
var validVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]*)?$`)

// CheckVersion rejects what cannot be a package's version.
func CheckVersion(version string) error {
	if len(version) > 256 || !validVersion.MatchString(version) || strings.Contains(version, "..") {
		return fmt.Errorf("%.100q is not a version; write it as MAJOR.MINOR.PATCH", version)
	}
	return nil
}

// ParseDependency reads an entry of dependencies, a name and what it asks for. An alias such
// as "npm:preact@^10" names another package.
func ParseDependency(name, wanted string) (Spec, error) {
	if err := CheckName(name); err != nil {
		return Spec{}, err
	}
	wanted = strings.TrimSpace(wanted)
	if alias, ok := strings.CutPrefix(wanted, "npm:"); ok {
		other, rest, err := cutRange(alias)
		if err != nil {
			return Spec{}, fmt.Errorf("%s: the alias %q: %w", name, wanted, err)
		}
		name, wanted = other, rest
	}
	if wanted == "" {
		wanted = "*"
	}
	// A tag has none of these characters, and a range has no colon.
	if strings.Contains(wanted, ":") || strings.Contains(wanted, "/") {
		return Spec{}, fmt.Errorf("%s: %q is not a version in a registry; only ranges such as ^1.2.0, tags such as latest, and npm:NAME@RANGE are supported", name, wanted)
	}
	return Spec{Name: name, Range: wanted}, nil
}

// ParseArgument reads an argument such as "react", "react@19", "@scope/name@latest" or
// "alias@npm:react@18". It returns the name to import it by, and what to write behind it in
// dependencies, which is "latest" if the argument does not say.
func ParseArgument(argument string) (name, wanted string, err error) {
	name, wanted, err = cutRange(argument)
	if err != nil {
		return "", "", err
	}
	if wanted == "" {
		wanted = "latest"
	}
	_, err = ParseDependency(name, wanted)
	return name, wanted, err
}

// cutRange splits NAME@RANGE.
func cutRange(text string) (name, wanted string, err error) {
	if text == "" {
		return "", "", fmt.Errorf("an empty package name; write NAME or NAME@RANGE")
	}
	at := strings.Index(text[1:], "@") + 1 // the first character may begin a scope
	name = text
	if at > 0 {
		name, wanted = text[:at], text[at+1:]
	}
	return name, wanted, CheckName(name)
}

// parseRange returns the range, or nil if the text is a dist-tag.
func parseRange(text string) *semver.Constraint {
	// node-semver reads an empty alternative as any version.
	parts := strings.Split(text, "||")
	for i, part := range parts {
		if strings.TrimSpace(part) == "" {
			parts[i] = "*"
		}
	}
	c, err := semver.NPM.ParseConstraint(strings.Join(parts, "||"))
	if err != nil {
		return nil
	}
	return c
}

// Satisfies reports whether a version is in a range. No version is in a dist-tag.
func Satisfies(version, wanted string) bool {
	c := parseRange(wanted)
	return c != nil && c.Match(version)
}

// Compare orders two versions. One that cannot be read precedes all others.
func Compare(a, b string) int {
	va, errA := semver.NPM.Parse(a)
	vb, errB := semver.NPM.Parse(b)
	switch {
	case errA != nil && errB != nil:
		return strings.Compare(a, b)
	case errA != nil:
		return -1
	case errB != nil:
		return 1
	}
	return va.Compare(vb)
}

// SaveRange returns what to write to dependencies after version was chosen for wanted: a
// caret range, or wanted itself if it is narrower. npm does the same.
func SaveRange(wanted, version string) string {
	if alias, ok := strings.CutPrefix(wanted, "npm:"); ok {
		name, rest, err := cutRange(alias)
		if err != nil {
			return wanted
		}
		return "npm:" + name + "@" + SaveRange(rest, version)
	}
	caret := "^" + version
	asked := parseRange(wanted)
	if asked == nil {
		return caret // a tag
	}
	if _, err := semver.NPM.Parse(wanted); err == nil && asked.IsSimple() {
		return caret // one version
	}
	set, all := parseRange(caret).Set(), asked.Set()
	before := set.String()
	if err := set.Intersect(all); err != nil || set.String() != before {
		return wanted
	}
	return caret
}

// IsRange reports whether the text is a range of versions, and not a dist-tag.
func IsRange(wanted string) bool { return parseRange(wanted) != nil }
