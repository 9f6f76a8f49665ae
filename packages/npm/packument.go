package npm

import (
	"encoding/json"
	"fmt"
)

// A Packument is what a registry says of a package, as far as it is needed here.
type Packument struct {
	Name     string               `json:"name"`
	Tags     map[string]string    `json:"dist-tags"`
	Versions map[string]*Manifest `json:"versions"`

	Registry string `json:"-"` // the URL of the registry that said it
}

// A Manifest is what a registry says of a version.
type Manifest struct {
	Name    string `json:"name"`
	Version string `json:"version"`

	Dependencies         map[string]string   `json:"dependencies"`
	OptionalDependencies map[string]string   `json:"optionalDependencies"`
	PeerDependencies     map[string]string   `json:"peerDependencies"`
	PeerMeta             map[string]PeerMeta `json:"peerDependenciesMeta"`

	OS         list `json:"os"`
	CPU        list `json:"cpu"`
	Deprecated text `json:"deprecated"`

	Dist Dist `json:"dist"`
}

// PeerMeta says more of a peer dependency.
type PeerMeta struct {
	Optional bool `json:"optional"`
}

// Dist says where a tarball is and how to verify it.
type Dist struct {
	Tarball   string `json:"tarball"`
	Integrity string `json:"integrity"`
	Shasum    string `json:"shasum"`
}

// Native reports whether the version is for machines of one kind. No browser is one.
func (m *Manifest) Native() bool { return len(m.OS) > 0 || len(m.CPU) > 0 && m.CPU[0] != "wasm32" }

// parsePackument reads the answer of a registry. It drops versions that are invalid or have
// another name.
func parsePackument(name, registry string, body []byte) (*Packument, error) {
	p := &Packument{}
	if err := json.Unmarshal(body, p); err != nil {
		return nil, fmt.Errorf("%s answers for %s with something else than a package: %w; check the address of the registry", registry, name, err)
	}
	if p.Name != name {
		return nil, fmt.Errorf("%s answers for %s with the package %q; check the address of the registry", registry, name, p.Name)
	}
	for version, m := range p.Versions {
		if m == nil || m.Version != version || m.Name != name || CheckVersion(version) != nil {
			delete(p.Versions, version)
		}
	}
	p.Registry = registry
	return p, nil
}

// A list is a JSON list of strings. Old packages have a string in its place.
type list []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *list) UnmarshalJSON(data []byte) error {
	*l = nil
	var many []string
	if json.Unmarshal(data, &many) == nil {
		*l = many
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) == nil && one != "" {
		*l = list{one}
	}
	return nil
}

// A text is a JSON string. Old packages have a Boolean in its place.
type text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(data []byte) error {
	*t = ""
	var s string
	var b bool
	switch {
	case json.Unmarshal(data, &s) == nil:
		*t = text(s)
	case json.Unmarshal(data, &b) == nil && b:
		*t = "deprecated"
	}
	return nil
}
