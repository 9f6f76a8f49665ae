package npm

import (
	"net/url"
	"strings"
	"testing"
)

func environment(values map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

func TestConfig(t *testing.T) {
	c := &Config{}
	user := "; a comment\nregistry = https://user.example/npm\n//user.example/npm/:_authToken=user-token\nfund=false\nloglevel\n"
	project := "@scope:registry=https://${HOST}/\n# another\n//scope.example/:_authToken=\"${TOKEN}\"\n//scope.example:8443/deep/path/:_auth=YTpi\n//basic.example/:username=me\n//basic.example/:_password=c2VjcmV0\n"
	env := environment(map[string]string{"HOST": "scope.example", "TOKEN": "of-the-environment"})
	for _, text := range []string{user, project} {
		if err := c.Add(".npmrc", []byte(text), env); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"react": "https://user.example/npm/", "@scope/a": "https://scope.example/", "@other/a": "https://user.example/npm/"} {
		if got, err := c.Registry(name); got != want || err != nil {
			t.Errorf("%s is at %q, %v", name, got, err)
		}
	}
	for address, want := range map[string]string{
		"https://user.example/npm/react":                 "Bearer user-token",
		"https://user.example/npm/react/-/react-1.0.tgz": "Bearer user-token",
		"https://user.example/other":                     "",
		"https://user.example/npmrc":                     "",
		"https://other.example/npm/react":                "",
		"https://user.example.evil.example/npm/react":    "",
		"https://scope.example/@scope%2fa":               "Bearer of-the-environment",
		"https://scope.example:8443/a":                   "",
		"https://scope.example:8443/deep/path/a":         "Basic YTpi",
		"https://basic.example/a":                        "Basic bWU6c2VjcmV0",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.authorization(u); got != want || err != nil {
			t.Errorf("%s gets %q, %v; want %q", address, got, err, want)
		}
	}
	if err := c.AddEnvironment([]string{"PATH=x", "NPM_CONFIG_REGISTRY=https://env.example", "npm_config_@scope:registry=https://scope.env.example"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"react": "https://env.example/", "@scope/a": "https://scope.env.example/"} {
		if got, err := c.Registry(name); got != want || err != nil {
			t.Errorf("with the environment %s is at %q, %v", name, got, err)
		}
	}
}

// Each mistake names the file, the line, and what to write.
func TestConfigMistakes(t *testing.T) {
	for text, says := range map[string]string{
		"registry=ftp://x.example":            "is not the address of a registry",
		"\nregistry=x.example":                ".npmrc, line 2",
		"registry=https://me:pw@x.example/":   "_auth",
		"registry=https://x.example/?a=b":     "is not the address of a registry",
		"@a:registry=${NOT_SET}":              "NOT_SET is not set",
		"strict-ssl=false":                    "SSL_CERT_FILE",
		"@a:registry=http://":                 "is not the address of a registry",
		"registry=https://x.example/#private": "is not the address of a registry",
	} {
		err := (&Config{}).Add(".npmrc", []byte(text), environment(nil))
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), ".npmrc, line ") {
			t.Errorf("%q: %v, want %q in it", text, err, says)
		}
	}
	c := &Config{}
	if err := c.Add(".npmrc", []byte("//x.example/:_authToken=${NOT_SET}\nother=${NOT_SET}"), environment(nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.authorization(&url.URL{Host: "x.example", Path: "/a"}); err == nil || !strings.Contains(err.Error(), "NOT_SET is not set") || !strings.Contains(err.Error(), ".npmrc, line 1") {
		t.Errorf("a token that is not set: %v", err)
	}
	if _, err := c.Registry("react"); err == nil || !strings.Contains(err.Error(), "registry=https://") {
		t.Errorf("no registry: %v", err)
	}
}
