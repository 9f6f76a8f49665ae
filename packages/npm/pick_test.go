package npm

import (
	"errors"
	"strings"
	"testing"
)

func packument(latest string, versions ...string) *Packument {
	p := &Packument{Name: "x", Registry: "https://registry.example/", Tags: map[string]string{"latest": latest, "next": "3.0.0-rc.1"}, Versions: map[string]*Manifest{}}
	for _, v := range versions {
		version, deprecated := strings.CutSuffix(v, "!")
		m := &Manifest{Name: "x", Version: version}
		if deprecated {
			m.Deprecated = "old"
		}
		p.Versions[version] = m
	}
	return p
}

// The choices are those of npm-pick-manifest.
func TestPick(t *testing.T) {
	all := packument("1.5.0", "1.0.0", "1.5.0", "1.9.0", "2.0.0", "2.1.0!", "3.0.0-rc.1", "0.2.3", "0.3.0")
	for wanted, want := range map[string]string{
		"latest": "1.5.0", "next": "3.0.0-rc.1", "*": "1.5.0", "1.0.0": "1.0.0", "=1.0.0": "1.0.0", "v1.0.0": "1.0.0",
		"^1.0.0": "1.5.0", "^1.6.0": "1.9.0", ">=2": "2.0.0", "2.1.0": "2.1.0", "^2.1.0": "2.1.0", "1 || 2": "1.5.0", "2 ||": "1.5.0",
		"~0.2.0": "0.2.3", "^0.2.0": "0.2.3", "0.x": "0.3.0", "1.0 - 1.2": "1.0.0", "^3.0.0-0": "3.0.0-rc.1", ">1.5.0 <2": "1.9.0",
		"^18.0.0 || ^1.6": "1.9.0",
	} {
		m, err := all.Pick(wanted, nil)
		if err != nil || m.Version != want {
			t.Errorf("%q: %+v, %v; want %s", wanted, m, err, want)
		}
	}
	for _, wanted := range []string{"^3.0.0", "4", "beta", "<0.1", "not a range"} {
		m, err := all.Pick(wanted, nil)
		if missing, ok := errors.AsType[*NoVersionError](err); !ok || missing.Newest[0] != "3.0.0-rc.1" || !strings.Contains(err.Error(), "the tags are latest, next") {
			t.Errorf("%q: %+v, %v", wanted, m, err)
		}
	}
	if m, err := packument("1.0.0-a", "1.0.0-a").Pick("*", nil); err != nil || m.Version != "1.0.0-a" {
		t.Errorf("only prereleases: %+v, %v", m, err)
	}
	if m, err := packument("2.0.0", "1.0.0", "2.0.0!").Pick("*", nil); err != nil || m.Version != "1.0.0" {
		t.Errorf("the latest is deprecated: %+v, %v", m, err)
	}
	if m, err := all.Pick("^1.0.0", func(m *Manifest) bool { return m.Version == "1.0.0" }); err != nil || m.Version != "1.0.0" {
		t.Errorf("one that fits: %+v, %v", m, err)
	}
	if m, err := all.Pick("^1.0.0", func(*Manifest) bool { return false }); err != nil || m.Version != "1.9.0" {
		t.Errorf("none fits: %+v, %v", m, err)
	}
}

func TestArguments(t *testing.T) {
	for argument, want := range map[string][2]string{
		"react": {"react", "latest"}, "react@19": {"react", "19"}, "react@": {"react", "latest"}, "react@^19.0.0": {"react", "^19.0.0"}, "@a/b": {"@a/b", "latest"}, "@a/b@next": {"@a/b", "next"},
		"r@npm:preact@^10": {"r", "npm:preact@^10"}, "r@npm:@a/b": {"r", "npm:@a/b"}, "react@>=1 <2": {"react", ">=1 <2"},
	} {
		name, wanted, err := ParseArgument(argument)
		if err != nil || name != want[0] || wanted != want[1] {
			t.Errorf("%q: %q, %q, %v", argument, name, wanted, err)
		}
	}
	for _, argument := range []string{"", "@", "../x", "a/b", "@a", "@a/", "a@file:../b", "a@git+https://x.example/y", "a@github:b/c", "a@b/c", ".hidden", "node_modules", "a b", "a%2fb", "@../x", "a@npm:../b", "a@workspace:*", strings.Repeat("a", 215)} {
		if name, wanted, err := ParseArgument(argument); err == nil {
			t.Errorf("%q is accepted as %q, %q", argument, name, wanted)
		}
	}
}

func TestSaveRange(t *testing.T) {
	for _, test := range [][3]string{
		{"latest", "1.2.3", "^1.2.3"}, {"1", "1.2.3", "^1.2.3"}, {"*", "1.2.3", "^1.2.3"}, {"1.2.3", "1.2.3", "^1.2.3"}, {"^1.0.0", "1.2.3", "^1.2.3"},
		{"~1.2.0", "1.2.3", "~1.2.0"}, {"<1.5", "1.2.3", "<1.5"}, {"next", "2.0.0-rc.1", "^2.0.0-rc.1"}, {"npm:x@1", "1.2.3", "npm:x@^1.2.3"},
	} {
		if got := SaveRange(test[0], test[1]); got != test[2] {
			t.Errorf("%s at %s is saved as %s, want %s", test[0], test[1], got, test[2])
		}
	}
}
