// Package npm reads packages from an npm registry, without npm.
//
// A caller wants [ReadConfig] for the user's configuration, and a [Client] with it:
// [Client.Packument] says which versions a package has, and [Client.Tarball] returns the
// verified tarball of one. [Unpack] returns its files. No code of a package ever runs.
//
// # Files
//
//   - spec.go: names, ranges, and arguments such as react@19.
//   - config.go, read.go: .npmrc, the environment, and credentials.
//   - client.go, fetch.go: requests, with cache and limits.
//   - packument.go, pick.go: what a registry says, and which version npm would choose.
//   - integrity.go, tarball.go: a tarball is verified, and then unpacked.
//   - errors.go: what is wrong with a package.
package npm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/bellglass/bellglass/packages/cache"
)

// Limits bounds what a client fetches.
type Limits struct {
	Packument int64 // bytes of what a registry says of a package
	Tarball   int64 // bytes of a tarball, as it is transferred
	Unpacked  int64 // bytes of all files in a tarball
	Files     int   // files in a tarball
}

// DefaultLimits are enough for the largest packages that are used in browsers.
func DefaultLimits() Limits {
	return Limits{Packument: 128 << 20, Tarball: 128 << 20, Unpacked: 512 << 20, Files: 50_000}
}

// A Client asks registries. It is safe for concurrent use. Its fields must not change.
type Client struct {
	Config  *Config
	Cache   *cache.Cache
	Offline bool // ask no registry: use the cache alone
	Limits  Limits
	HTTP    *http.Client  // nil means one of our own, with the proxy of the environment
	Pause   time.Duration // before the first of two retries; the second waits four times as long

	mu    sync.Mutex
	known map[string]*asked // by name
}

// asked is a packument that is being fetched or is there.
type asked struct {
	done      chan struct{}
	packument *Packument
	err       error
}

// Packument returns what the registry says of a package. A client asks once for each.
func (c *Client) Packument(ctx context.Context, name string) (*Packument, error) {
	c.mu.Lock()
	a := c.known[name]
	if a == nil {
		a = &asked{done: make(chan struct{})}
		if c.known == nil {
			c.known = map[string]*asked{}
		}
		c.known[name] = a
		go func() {
			defer close(a.done)
			a.packument, a.err = c.packument(ctx, name)
		}()
	}
	c.mu.Unlock()
	<-a.done // the fetch ends with its context
	return a.packument, a.err
}

// A kept packument is what the cache has of an answer.
type kept struct {
	ETag string          `json:"etag"`
	Body json.RawMessage `json:"body"`
}

// abbreviated asks for what an installation needs. It is a tenth of the whole.
const abbreviated = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*"

func (c *Client) packument(ctx context.Context, name string) (*Packument, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	registry, err := c.Config.Registry(name)
	if err != nil {
		return nil, err
	}
	address := registry + strings.Replace(name, "/", "%2f", 1)
	var old kept
	stored, have, err := c.Cache.Get("packument", address)
	if err != nil {
		return nil, err
	}
	if have && json.Unmarshal(stored, &old) != nil {
		have = false
	}
	if c.Offline {
		if !have {
			return nil, &MissingError{What: "the versions of " + name}
		}
		return parsePackument(name, registry, old.Body)
	}
	header := http.Header{"Accept": {abbreviated}}
	if have && old.ETag != "" {
		header.Set("If-None-Match", old.ETag)
	}
	answer, err := c.fetch(ctx, address, header, c.Limits.Packument)
	status, failed := errors.AsType[*statusError](err)
	switch {
	case failed && status.code == http.StatusNotFound:
		return nil, &NotFoundError{Name: name, Registry: registry}
	case failed && (status.code == http.StatusUnauthorized || status.code == http.StatusForbidden):
		return nil, fmt.Errorf("%w; check the token for it in .npmrc", err)
	case err != nil:
		return nil, fmt.Errorf("cannot read the versions of %s: %w", name, about(ctx, err, name))
	case answer.notModified && have:
		return parsePackument(name, registry, old.Body)
	}
	p, err := parsePackument(name, registry, answer.body)
	if err != nil {
		return nil, err
	}
	fresh, err := json.Marshal(kept{ETag: answer.etag, Body: answer.body})
	if err != nil {
		return nil, err
	}
	return p, c.Cache.Put("packument", address, fresh)
}

// Tarball returns the verified tarball of a version, from the cache if it is there. Its address
// may be relative to the registry. The returned integrity is the SHA-512 of its bytes.
func (c *Client) Tarball(ctx context.Context, name, version string, dist Dist) (tarball []byte, integrity string, err error) {
	for option := range strings.FieldsSeq(dist.Integrity) {
		if !strings.HasPrefix(option, "sha512-") {
			continue
		}
		if tarball, ok, err := c.Cache.Content(option); ok || err != nil {
			return tarball, option, err
		}
	}
	what := name + " " + version
	if dist.Integrity == "" {
		// The integrity of a tarball that was verified by its SHA-1 is known by that.
		if known, ok, err := c.Cache.Get("shasum", dist.Shasum); err != nil {
			return nil, "", err
		} else if ok {
			if tarball, ok, err := c.Cache.Content(string(known)); ok || err != nil {
				return tarball, string(known), err
			}
		}
	}
	if c.Offline {
		return nil, "", &MissingError{What: what}
	}
	if dist.Integrity == "" && dist.Shasum == "" {
		return nil, "", fmt.Errorf("%s is refused: %w", what, about(ctx, Verify(nil, dist), what))
	}
	if !strings.Contains(dist.Tarball, "://") {
		registry, err := c.Config.Registry(name)
		if err != nil {
			return nil, "", err
		}
		dist.Tarball = registry + strings.TrimPrefix(dist.Tarball, "/")
	}
	u, err := url.Parse(dist.Tarball)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, "", fmt.Errorf("the registry names no address of the tarball of %s, but %.100q", what, dist.Tarball)
	}
	answer, err := c.fetch(ctx, dist.Tarball, nil, c.Limits.Tarball)
	if err != nil {
		return nil, "", fmt.Errorf("cannot fetch %s: %w", what, about(ctx, err, what))
	}
	if err := Verify(answer.body, dist); err != nil {
		return nil, "", fmt.Errorf("%s from %s is refused: %w. Find out why it has changed before you use it", what, dist.Tarball, about(ctx, err, what))
	}
	// Nothing that cannot be unpacked comes into the cache.
	if _, err := Unpack(answer.body, c.Limits); err != nil {
		return nil, "", fmt.Errorf("%s from %s is refused: %w. Use another version of it", what, dist.Tarball, about(ctx, err, what))
	}
	integrity, err = c.Cache.PutContent(answer.body)
	if err == nil && dist.Integrity == "" {
		err = c.Cache.Put("shasum", dist.Shasum, []byte(integrity))
	}
	return answer.body, integrity, err
}

// about names the package of an error. What has ended the context concerns all packages, and
// other goroutines have the same error.
func about(ctx context.Context, err error, what string) error {
	if ended := context.Cause(ctx); ended != nil && errors.Is(err, ended) {
		return err
	}
	if e, ok := errors.AsType[*RejectedError](err); ok {
		e.Package = what
	} else if e, ok := errors.AsType[*IntegrityError](err); ok {
		e.Package = what
	}
	return err
}
