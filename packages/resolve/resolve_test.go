package resolve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/packages/npm"
)

// A table is a registry: a line is "NAME VERSION: NAME@RANGE …". A range may have a mark before
// the name: "?" for an optional dependency, "^" for a peer, "^?" for an optional peer. A mark
// "!" behind the version means that it is for one kind of machine.
type table map[string]*npm.Packument

func registryOf(text string) table {
	all := table{}
	for line := range strings.Lines(text) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, version, ok := strings.Cut(id, " ")
		if !ok {
			continue
		}
		version, native := strings.CutSuffix(version, "!")
		m := &npm.Manifest{Name: name, Version: version, Dependencies: map[string]string{}, OptionalDependencies: map[string]string{}, PeerDependencies: map[string]string{}, PeerMeta: map[string]npm.PeerMeta{}}
		if native {
			m.OS = []string{"linux"}
		}
		for word := range strings.FieldsSeq(rest) {
			peer, isPeer := strings.CutPrefix(word, "^")
			optional, isOptional := strings.CutPrefix(peer, "?")
			name, wanted, _ := strings.Cut(optional, "@")
			switch {
			case isPeer:
				m.PeerDependencies[name] = wanted
				m.PeerMeta[name] = npm.PeerMeta{Optional: isOptional}
			case isOptional:
				m.OptionalDependencies[name] = wanted
			default:
				m.Dependencies[name] = wanted
			}
		}
		if all[name] == nil {
			all[name] = &npm.Packument{Name: name, Registry: "https://registry.example/", Versions: map[string]*npm.Manifest{}, Tags: map[string]string{}}
		}
		all[name].Versions[version] = m
		all[name].Tags["latest"] = version // the last line
	}
	return all
}

func (t table) Packument(_ context.Context, name string) (*npm.Packument, error) {
	if p := t[name]; p != nil {
		return p, nil
	}
	return nil, &npm.NotFoundError{Name: name, Registry: "https://registry.example/"}
}

// words returns a graph as text: a line for the application and one for each package.
func words(g *Graph) string {
	edges := func(of map[string]Edge) (text string) {
		var all []string
		for name, edge := range of {
			all = append(all, fmt.Sprintf(" %s=%s", name, edge.To))
		}
		slices.Sort(all)
		return strings.Join(all, "")
	}
	lines := []string{"app:" + edges(g.Root)}
	for _, key := range g.Keys() {
		lines = append(lines, key+":"+edges(g.Packages[key].Edges))
	}
	return strings.Join(lines, "\n")
}

func TestResolve(t *testing.T) {
	for _, test := range []struct {
		name, registry, wanted string // wanted is "NAME@RANGE …"
		want                   string
		warnings               int
	}{
		{"one", "a 1.0.0:\na 1.2.0:", "a@^1", "app: a=a@1.2.0\na@1.2.0:", 0},
		{"shared", "a 1.0.0: c@^1.0.0\nb 1.0.0: c@~1.1.0\nc 1.1.0:\nc 1.2.0:", "a@1 b@1", "app: a=a@1.0.0 b=b@1.0.0\na@1.0.0: c=c@1.2.0\nb@1.0.0: c=c@1.1.0\nc@1.1.0:\nc@1.2.0:", 0},
		{"shared with the application", "a 1.0.0: c@^1.0.0\nc 1.1.0:\nc 1.2.0:", "a@1 c@1.1.0", "app: a=a@1.0.0 c=c@1.1.0\na@1.0.0: c=c@1.1.0\nc@1.1.0:", 0},
		{"two versions", "a 1.0.0: c@1\nb 1.0.0: c@2\nc 1.0.0:\nc 2.0.0:", "a@1 b@1", "app: a=a@1.0.0 b=b@1.0.0\na@1.0.0: c=c@1.0.0\nb@1.0.0: c=c@2.0.0\nc@1.0.0:\nc@2.0.0:", 0},
		{"a cycle", "a 1.0.0: b@1\nb 1.0.0: a@1", "a@1", "app: a=a@1.0.0\na@1.0.0: b=b@1.0.0\nb@1.0.0: a=a@1.0.0", 0},
		{"an alias", "a 1.0.0:\na 2.0.0:", "a@1 new@npm:a@2", "app: a=a@1.0.0 new=a@2.0.0\na@1.0.0:\na@2.0.0:", 0},
		{"a peer of the application", "react 18.0.0:\nreact 19.0.0:\nlib 1.0.0: ^react@>=17", "lib@1 react@18", "app: lib=lib@1.0.0 react=react@18.0.0\nlib@1.0.0: react=react@18.0.0\nreact@18.0.0:", 0},
		{"a peer that nobody has", "react 18.0.0:\nreact 19.0.0:\nlib 1.0.0: ^react@^18", "lib@1", "app: lib=lib@1.0.0\nlib@1.0.0: react=react@18.0.0\nreact@18.0.0:", 0},
		{"a peer of two", "react 18.0.0:\nreact 19.0.0:\na 1.0.0: ^react@>=18\nb 1.0.0: ^react@^18", "a@1 b@1", "app: a=a@1.0.0 b=b@1.0.0\na@1.0.0: react=react@18.0.0\nb@1.0.0: react=react@18.0.0\nreact@18.0.0:", 0},
		{"a peer with peers", "react 18.0.0:\nreact 19.0.0:\nreact-dom 18.0.0: ^react@^18\nreact-dom 19.0.0: ^react@^19\nlib 1.0.0: ^react-dom@*", "lib@1 react@^18", "app: lib=lib@1.0.0 react=react@18.0.0\nlib@1.0.0: react-dom=react-dom@18.0.0\nreact-dom@18.0.0: react=react@18.0.0\nreact@18.0.0:", 0},
		{"a peer that is too new", "react 19.0.0:\nlib 1.0.0: ^react@^18", "lib@1 react@19", "app: lib=lib@1.0.0 react=react@19.0.0\nlib@1.0.0: react=react@19.0.0\nreact@19.0.0:", 1},
		{"react is there once", "react 18.0.0:\nreact 19.0.0:\nlib 1.0.0: react@^18", "lib@1 react@19", "app: lib=lib@1.0.0 react=react@19.0.0\nlib@1.0.0: react=react@19.0.0\nreact@19.0.0:", 1},
		{"a peer before a dependency", "x 1.0.0: ^c@^1\ny 1.0.0: c@*\nc 1.0.0:\nc 2.0.0:", "x@1 y@1", "app: x=x@1.0.0 y=y@1.0.0\nc@1.0.0:\nx@1.0.0: c=c@1.0.0\ny@1.0.0: c=c@1.0.0", 0},
		{"an optional peer", "a 1.0.0: ^?b@1 ^?c@1\nb 1.0.0:", "a@1 b@1", "app: a=a@1.0.0 b=b@1.0.0\na@1.0.0: b=b@1.0.0 c=\nb@1.0.0:", 0},
		{"an optional peer that somebody below has", "a 1.0.0: ^?c@1\nb 1.0.0: c@1\nc 1.0.0:", "a@1 b@1", "app: a=a@1.0.0 b=b@1.0.0\na@1.0.0: c=c@1.0.0\nb@1.0.0: c=c@1.0.0\nc@1.0.0:", 0},
		{"optional and not there", "a 1.0.0: ?b@1 ?c@9 ?d@1 ?e@file:x\nc 1.0.0:\nd 1.0.0!:", "a@1", "app: a=a@1.0.0\na@1.0.0: b= c= d= e=", 0},
		{"optional and there", "a 1.0.0: ?b@1\nb 1.0.0:", "a@1", "app: a=a@1.0.0\na@1.0.0: b=b@1.0.0\nb@1.0.0:", 0},
	} {
		request := Request{Dependencies: map[string]string{}, MaxPackages: 100}
		for word := range strings.FieldsSeq(test.wanted) {
			name, r, _ := strings.Cut(word, "@")
			request.Dependencies[name] = r
		}
		g, warnings, err := Resolve(t.Context(), registryOf(test.registry), request)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, words(g)); diff != "" || len(warnings) != test.warnings {
			t.Errorf("%s: warnings %q (-want +got):\n%s", test.name, warnings, diff)
		}
		for _, p := range g.Packages { // as a fetch does
			p.Dist.Integrity = "sha512-" + strings.Repeat("A", 86) + "=="
		}
		// A lock gives the same graph, without a registry.
		text, err := g.Lock(func(string) (string, error) { return "https://registry.example/", nil })
		if err != nil {
			t.Fatal(err)
		}
		lock, err := ParseLock("lock", text)
		if err != nil {
			t.Fatal(err)
		}
		request.Locked = lock.Graph()
		again, _, err := Resolve(t.Context(), table{}, request)
		if err != nil || words(again) != words(g) {
			t.Errorf("%s: with the lock %v\n%s", test.name, err, words(again))
			continue
		}
		// A further dependency changes nothing about the others.
		request.Dependencies["further"] = "1"
		more, _, err := Resolve(t.Context(), registryOf("further 1.0.0:"), request)
		want := strings.Replace(test.want, "\n", " further=further@1.0.0\n", 1)
		if err != nil || !sameLines(words(more), want+"\nfurther@1.0.0:") {
			t.Errorf("%s: with a further dependency %v\n%s\nwant\n%s", test.name, err, words(more), want)
		}
	}
}

// A name that stands for another package now is resolved, whatever the lock has.
func TestChangedAlias(t *testing.T) {
	registry := registryOf("a 1.0.0:\nb 1.0.0:")
	request := Request{Dependencies: map[string]string{"x": "npm:a@1"}, MaxPackages: 10}
	g, _, err := Resolve(t.Context(), registry, request)
	if err != nil {
		t.Fatal(err)
	}
	request.Locked, request.Dependencies = g, map[string]string{"x": "npm:b@1"}
	if g, _, err = Resolve(t.Context(), registry, request); err != nil || g.Root["x"].To != "b@1.0.0" {
		t.Errorf("%+v, %v", g.Root, err)
	}
}

func sameLines(a, b string) bool {
	sorted := func(text string) []string {
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			parts := strings.Fields(line)
			slices.Sort(parts)
			lines = append(lines, strings.Join(parts, " "))
		}
		slices.Sort(lines)
		return lines
	}
	return slices.Equal(sorted(a), sorted(b))
}
