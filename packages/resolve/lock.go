package resolve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/bellglass/bellglass/packages/npm"
)

// LockFile is the name of the lock file, which is beside package.json.
const LockFile = "bellglass-lock.json"

// lockVersion is the version of the format.
const lockVersion = 1

// A Lock is a lock file.
type Lock struct {
	Version      int                   `json:"lockVersion"`
	Dependencies map[string]lockEdge   `json:"dependencies"`
	Packages     map[string]lockedPart `json:"packages"`
}

type lockEdge struct {
	Range    string `json:"range"`
	To       string `json:"package,omitempty"`
	Peer     bool   `json:"peer,omitempty"`
	Optional bool   `json:"optional,omitempty"`
}

type lockedPart struct {
	Integrity string `json:"integrity"`
	// Tarball is relative to the package's registry, so that another registry can be used. It
	// is a whole URL only if the tarball is elsewhere, and is left out where npm has it.
	Tarball      string              `json:"tarball,omitempty"`
	Dependencies map[string]lockEdge `json:"dependencies,omitempty"`
}

// ParseLock reads a lock file. It rejects one that another version of the program wrote, or
// that a person has damaged.
func ParseLock(file string, text []byte) (*Lock, error) {
	fail := func(why string) error {
		return fmt.Errorf("%s: %s; delete the file, and run bellglass add to write it again", file, why)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var l Lock
	if err := decoder.Decode(&l); err != nil {
		return nil, fail("the lock cannot be read: " + err.Error())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fail("the lock has more than one JSON document")
	}
	if l.Version != lockVersion {
		return nil, fail(fmt.Sprintf("the lock has version %d, and this program reads version %d", l.Version, lockVersion))
	}
	check := func(where string, edges map[string]lockEdge) error {
		for name, edge := range edges {
			if err := npm.CheckName(name); err != nil {
				return fail(fmt.Sprintf("%s: %v", where, err))
			}
			if _, ok := l.Packages[edge.To]; !ok && (edge.To != "" || !edge.Optional) {
				return fail(fmt.Sprintf("%s needs %s, which is %q and not in the lock", where, name, edge.To))
			}
		}
		return nil
	}
	if err := check("the application", l.Dependencies); err != nil {
		return nil, err
	}
	for key, part := range l.Packages {
		name, version := cutKey(key)
		if err := npm.CheckName(name); err != nil || npm.CheckVersion(version) != nil {
			return nil, fail(fmt.Sprintf("%q is not a package with its version", key))
		}
		if !sha512.MatchString(part.Integrity) {
			return nil, fail(fmt.Sprintf("%s has the integrity %q, and not a SHA-512", key, part.Integrity))
		}
		if err := check(key, part.Dependencies); err != nil {
			return nil, err
		}
	}
	return &l, nil
}

var sha512 = regexp.MustCompile(`^sha512-[A-Za-z0-9+/]{86}==$`)

func cutKey(key string) (name, version string) {
	at := strings.LastIndex(key, "@")
	if at <= 0 {
		return "", ""
	}
	return key[:at], key[at+1:]
}

// Lock returns the lock file for a graph. Equal graphs have equal files. registry returns the
// URL of the registry that has a package.
func (g *Graph) Lock(registry func(name string) (string, error)) ([]byte, error) {
	l := Lock{Version: lockVersion, Dependencies: lockEdges(g.Root), Packages: map[string]lockedPart{}}
	for key, p := range reachable(g.Root, g.Packages) {
		part := lockedPart{Integrity: p.Dist.Integrity, Tarball: p.Dist.Tarball, Dependencies: lockEdges(p.Edges)}
		if strings.Contains(part.Tarball, "://") {
			at, err := registry(p.Name)
			if err != nil {
				return nil, err
			}
			part.Tarball = strings.TrimPrefix(part.Tarball, at)
		}
		if part.Tarball == tarballPath(p.Name, p.Version) {
			part.Tarball = ""
		}
		l.Packages[key] = part
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(l) // sorts the keys
	return text.Bytes(), err
}

// tarballPath is where registries have a tarball.
func tarballPath(name, version string) string {
	_, base, scoped := strings.Cut(name, "/")
	if !scoped {
		base = name
	}
	return name + "/-/" + base + "-" + version + ".tgz"
}

func lockEdges(edges map[string]Edge) map[string]lockEdge {
	all := map[string]lockEdge{}
	for name, edge := range edges {
		all[name] = lockEdge(edge)
	}
	return all
}

// Graph returns the packages of the lock. Its root is what was locked. The addresses of tarballs
// are relative to the registry, as in the lock.
func (l *Lock) Graph() *Graph {
	g := &Graph{Root: edgesOf(l.Dependencies), Packages: map[string]*Package{}}
	for key, part := range l.Packages {
		name, version := cutKey(key)
		p := &Package{Name: name, Version: version, Dist: npm.Dist{Integrity: part.Integrity, Tarball: part.Tarball}, Edges: edgesOf(part.Dependencies)}
		if p.Dist.Tarball == "" {
			p.Dist.Tarball = tarballPath(name, version)
		}
		g.Packages[key] = p
	}
	return g
}

func edgesOf(edges map[string]lockEdge) map[string]Edge {
	all := map[string]Edge{}
	for name, edge := range edges {
		all[name] = Edge(edge)
	}
	return all
}
