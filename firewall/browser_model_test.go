package firewall_test

import (
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/firewall/browsermodel"
)

// These helpers call the model of the browser and fail the test if the model returns an error.

// directives parses a Content-Security-Policy.
func directives(t testing.TB, header http.Header) map[string][]string {
	t.Helper()
	all, err := browsermodel.Directives(header)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// connections parses a Connection-Allowlist.
func connections(t testing.TB, header http.Header) (self bool, patterns []string) {
	t.Helper()
	self, patterns, err := browsermodel.Connections(header)
	if err != nil {
		t.Fatal(err)
	}
	return self, patterns
}

// allows and connects ask the model about one URL.
func allows(t testing.TB, sources []string, u browsermodel.URL) bool {
	t.Helper()
	ok, err := browsermodel.Allows(sources, u)
	if err != nil {
		t.Error(err)
	}
	return ok
}

func connects(t testing.TB, header http.Header, u browsermodel.URL) bool {
	t.Helper()
	_, patterns := connections(t, header)
	ok, err := browsermodel.Connects(patterns, u)
	if err != nil {
		t.Error(err)
	}
	return ok
}
