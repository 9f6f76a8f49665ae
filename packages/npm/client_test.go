package npm

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/packages/cache"
	"github.com/bellglass/bellglass/packages/registrytest"
)

// A token stays with its registry when the tarball is elsewhere.
func TestTokenAndRedirect(t *testing.T) {
	tarball := registrytest.Tarball(t, registrytest.Entry{Name: "package/a", Content: "a"})
	var stored []string // what the other host is told
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stored = append(stored, r.Header.Get("Authorization"))
		_, _ = w.Write(tarball)
	}))
	t.Cleanup(other.Close)
	var asked []string
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Authorization"))
		http.Redirect(w, r, other.URL+"/stored.tgz", http.StatusFound)
	}))
	t.Cleanup(registry.Close)
	config := &Config{}
	if err := config.Add(".npmrc", []byte("registry="+registry.URL+"\n"+strings.TrimPrefix(registry.URL, "http:")+"/:_authToken=secret"), nil); err != nil {
		t.Fatal(err)
	}
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	client := &Client{Config: config, Cache: c, Limits: DefaultLimits()}
	_, integrity, err := client.Tarball(t.Context(), "a", "1.0.0", Dist{Tarball: "a/-/a-1.0.0.tgz", Integrity: cache.Integrity(tarball)})
	if err != nil || integrity != cache.Integrity(tarball) {
		t.Fatal(integrity, err)
	}
	if len(asked) != 1 || asked[0] != "Bearer secret" || len(stored) != 1 || stored[0] != "" {
		t.Errorf("the registry hears %q, and the other host %q", asked, stored)
	}
}

// A redirect from https to http would show the tarball to everybody on the way.
func TestRedirectToHTTP(t *testing.T) {
	plainly := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect is followed")
	}))
	t.Cleanup(plainly.Close)
	registry := httptest.NewTLSServer(http.RedirectHandler(plainly.URL, http.StatusFound))
	t.Cleanup(registry.Close)
	config := &Config{}
	if err := config.SetRegistry(registry.URL, "the test"); err != nil {
		t.Fatal(err)
	}
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	client := &Client{Config: config, Cache: c, Limits: DefaultLimits(), HTTP: registry.Client()}
	if _, err := client.Packument(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "redirects from https to http") {
		t.Errorf("%v", err)
	}
}

// An answer over the limit is not read to its end.
func TestLimitOfAnswers(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, registrytest.Package{Name: "a", Version: "1.0.0"})
	config := &Config{}
	if err := config.SetRegistry(r.URL, "the test"); err != nil {
		t.Fatal(err)
	}
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	client := &Client{Config: config, Cache: c, Limits: Limits{Packument: 10}}
	if _, err := client.Packument(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "more than 10 bytes") || len(r.Requests()) != 1 {
		t.Errorf("%v", err)
	}
}
