package resolve

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/packages/npm"
)

// NPMLockFile is the name of npm's lock file.
const NPMLockFile = "package-lock.json"

// Pins are versions that another tool has chosen, by the name of the package.
type Pins map[string][]Pin

// A Pin is a version with its integrity, which may be "".
type Pin struct {
	Version, Integrity string
}

// ParseNPMLock reads a package-lock.json of version 2 or 3.
func ParseNPMLock(file string, text []byte) (Pins, error) {
	var lock struct {
		Version  int `json:"lockfileVersion"`
		Packages map[string]struct {
			Name      string `json:"name"` // of an alias
			Version   string `json:"version"`
			Integrity string `json:"integrity"`
			Link      bool   `json:"link"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; write it again with npm install, or delete it", file, err)
	}
	if lock.Version != 2 && lock.Version != 3 {
		return nil, fmt.Errorf("%s has the version %d; versions 2 and 3 are supported. Write it again with a current npm, or delete it", file, lock.Version)
	}
	pins := Pins{}
	for place, p := range lock.Packages {
		at := strings.LastIndex(place, "node_modules/")
		if at < 0 || p.Link || p.Version == "" {
			continue // the application itself, or a folder
		}
		name := place[at+len("node_modules/"):]
		if p.Name != "" {
			name = p.Name
		}
		if npm.CheckName(name) == nil {
			pins[name] = append(pins[name], Pin{p.Version, p.Integrity})
		}
	}
	return pins, nil
}

// best returns the highest pinned version in a range, or nil.
func (p Pins) best(spec npm.Spec) *Pin {
	var best *Pin
	for _, pin := range p[spec.Name] {
		if npm.Satisfies(pin.Version, spec.Range) && (best == nil || npm.Compare(pin.Version, best.Version) > 0) {
			best = &pin
		}
	}
	return best
}
