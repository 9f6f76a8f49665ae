package packages

import (
	"context"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/prebundle"
	"github.com/bellglass/bellglass/packages/resolve"
)

// A source has packages by a key of its own. Its methods are safe for concurrent use.
type source interface {
	// root returns the key of a package that the application depends on, or "".
	root(name string) string
	// edge returns the key of a package that another one may import, or "".
	edge(from, name string) string
	// names returns what the application depends on, sorted.
	names() []string
	// edges returns what a package may import, sorted.
	edges(key string) []string
	// identity returns name and version. Its fingerprint is a hash of all files, or "" if
	// that is not known.
	identity(key string) (name, version, fingerprint string)
	// tarball returns a package from the registry, and the number of bytes that it may unpack to.
	// The tarball is nil if the package is a folder.
	tarball(ctx context.Context, key string) (tarball []byte, maxUnpacked int64, err error)
	// files returns the files of a package that is a folder. They are nil for other packages.
	files(key string) (prebundle.Files, error)
}

// A registrySource has packages that were resolved and fetched.
type registrySource struct {
	client *npm.Client
	graph  *resolve.Graph
}

func (s *registrySource) root(name string) string { return s.graph.Root[name].To }

func (s *registrySource) edge(from, name string) string {
	if edge, ok := s.graph.Packages[from].Edges[name]; ok {
		return edge.To
	}
	return ""
}

func (s *registrySource) names() []string { return sortedKeys(s.graph.Root) }

func (s *registrySource) edges(key string) []string { return sortedKeys(s.graph.Packages[key].Edges) }

func (s *registrySource) identity(key string) (name, version, fingerprint string) {
	p := s.graph.Packages[key]
	return p.Name, p.Version, p.Dist.Integrity
}

func (s *registrySource) tarball(ctx context.Context, key string) ([]byte, int64, error) {
	p := s.graph.Packages[key]
	tarball, _, err := s.client.Tarball(ctx, p.Name, p.Version, p.Dist)
	return tarball, s.client.Limits.Unpacked, err
}

func (*registrySource) files(string) (prebundle.Files, error) { return nil, nil }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Prefix begins the virtual path of each file of a package.
const Prefix = "/node_modules/.bellglass/"

// folder returns the virtual folder of a package.
func folder(name, version string) string {
	// A build's number has a plus, which some servers read as a space.
	return Prefix + name + "@" + strings.ReplaceAll(version, "+", "_")
}
