// Package registrytest is an npm registry for tests.
//
// A test wants [New], and then [Registry.Publish] for each package that it needs. The registry
// listens on the loopback interface until the test ends. [Registry.Requests] says what it was
// asked.
package registrytest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Package is a version to publish.
type Package struct {
	Name, Version string
	Manifest      map[string]any    // further keys of package.json
	Files         map[string]string // beside package.json
	Tag           string            // dist-tag of the version; "" means latest

	Tarball []byte         // in place of one with the files
	Dist    map[string]any // keys that replace those of dist; nil removes one
}

// A Registry is an npm registry. Its methods are safe for concurrent use.
type Registry struct {
	URL string // ends with a slash

	mu       sync.Mutex
	packages map[string]*packument
	tarballs map[string][]byte // by path
	status   map[string]int    // by path, in place of an answer
	token    string
	requests []string
}

type packument struct {
	Name     string                    `json:"name"`
	Tags     map[string]string         `json:"dist-tags"`
	Versions map[string]map[string]any `json:"versions"`
}

// New starts a registry that ends with the test.
func New(t testing.TB) *Registry {
	r := &Registry{packages: map[string]*packument{}, tarballs: map[string][]byte{}, status: map[string]int{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.URL = server.URL + "/"
	return r
}

// Publish adds versions.
func (r *Registry) Publish(t testing.TB, all ...Package) {
	t.Helper()
	for _, p := range all {
		r.publish(t, p)
	}
}

func (r *Registry) publish(t testing.TB, p Package) {
	t.Helper()
	manifest := map[string]any{"name": p.Name, "version": p.Version}
	maps.Copy(manifest, p.Manifest)
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	tarball := p.Tarball
	if tarball == nil {
		entries := []Entry{{Name: "package/package.json", Content: string(text)}}
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			entries = append(entries, Entry{Name: "package/" + name, Content: p.Files[name]})
		}
		tarball = Tarball(t, entries...)
	}
	at := p.Name + "/-/" + path.Base(p.Name) + "-" + p.Version + ".tgz"
	long, short := sha512.Sum512(tarball), sha1.Sum(tarball)
	dist := map[string]any{
		"tarball":   r.URL + at,
		"integrity": "sha512-" + base64.StdEncoding.EncodeToString(long[:]),
		"shasum":    hex.EncodeToString(short[:]),
	}
	for key, value := range p.Dist {
		if dist[key] = value; value == nil {
			delete(dist, key)
		}
	}
	manifest["dist"] = dist
	tag := p.Tag
	if tag == "" {
		tag = "latest"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packages[p.Name] == nil {
		r.packages[p.Name] = &packument{Name: p.Name, Tags: map[string]string{}, Versions: map[string]map[string]any{}}
	}
	r.packages[p.Name].Versions[p.Version] = manifest
	r.packages[p.Name].Tags[tag] = p.Version
	r.tarballs["/"+at] = tarball
}

// Deprecate marks a version.
func (r *Registry) Deprecate(name, version, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages[name].Versions[version]["deprecated"] = why
}

// Fail makes the registry answer a path, such as "/react", with a status. 0 ends that.
func (r *Registry) Fail(path string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status[path] = status
}

// Corrupt changes one byte of a tarball that is served at a path.
func (r *Registry) Corrupt(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	content := slices.Clone(r.tarballs[path])
	content[len(content)/2] ^= 1
	r.tarballs[path] = content
}

// RequireToken makes the registry answer only requests with this bearer token.
func (r *Registry) RequireToken(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.token = token
}

// Requests returns the paths of all requests since the last call, sorted.
func (r *Registry) Requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.requests
	r.requests = nil
	slices.Sort(all)
	return all
}

// ServeHTTP implements [http.Handler].
func (r *Registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	at, err := url.PathUnescape(request.URL.EscapedPath())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, at)
	switch {
	case r.status[at] != 0:
		http.Error(w, "failed on purpose", r.status[at])
	case r.token != "" && request.Header.Get("Authorization") != "Bearer "+r.token:
		http.Error(w, "no token", http.StatusUnauthorized)
	case r.tarballs[at] != nil:
		_, _ = w.Write(r.tarballs[at])
	case r.packages[strings.TrimPrefix(at, "/")] != nil:
		body, err := json.Marshal(r.packages[strings.TrimPrefix(at, "/")])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sum := sha1.Sum(body)
		tag := `"` + hex.EncodeToString(sum[:]) + `"`
		w.Header().Set("ETag", tag)
		if request.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(body)
	default:
		http.NotFound(w, request)
	}
}

// An Entry is one entry of a tarball. Type is that of package tar; 0 is a file.
type Entry struct {
	Name, Content, Link string
	Type                byte
}

// Tarball returns a tarball with these entries, also with what no registry would accept.
func Tarball(t testing.TB, entries ...Entry) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	for _, e := range entries {
		kind := e.Type
		if kind == 0 {
			kind = tar.TypeReg
		}
		if err := archive.WriteHeader(&tar.Header{Name: e.Name, Typeflag: kind, Linkname: e.Link, Size: int64(len(e.Content)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(e.Content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
