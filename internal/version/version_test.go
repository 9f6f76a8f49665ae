package version

import "testing"

func TestNPM(t *testing.T) {
	for module, want := range map[string]string{
		"v1.2.3":        "1.2.3",
		"v1.3.0-beta.1": "1.3.0-beta.1",
		"v0.0.0-20261126105727-d6fb745dd22a+dirty": "0.0.0-20261126105727-d6fb745dd22a",
		"(devel)": "0.0.0-devel",
		"":        "0.0.0-devel",
	} {
		if got := NPM(module); got != want {
			t.Errorf("%q: %q, want %q", module, got, want)
		}
	}
}
