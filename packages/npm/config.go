package npm

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// A Config says which registry serves a package, and with which credentials. Its zero value
// has no registry.
type Config struct {
	registry    setting
	scopes      map[string]setting     // by scope, such as "@scope"
	credentials map[string]*credential // by "//host/path/"

	once sync.Once
	ask  func() string // returns the default registry, or ""; may be nil
	// What it has returned.
	asked setting
}

// A setting is a value with the place that it comes from.
type setting struct {
	value, from string
}

// A credential is what one or several keys say of a registry. The last file wins for each key.
type credential struct {
	token, auth, username, password setting
}

// errNoRegistry is the error if no registry is configured.
var errNoRegistry = errors.New("no npm registry is configured: write a line such as registry=https://registry.example.com/ into .npmrc of your home or of the folder, or set npm_config_registry")

// Add reads the text of a file .npmrc. Later texts override earlier ones, so begin with the
// least specific file. env is [os.LookupEnv] or stands in for it.
func (c *Config) Add(file string, text []byte, env func(string) (string, bool)) error {
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if err := c.set(strings.TrimSpace(key), strings.TrimSpace(value), fmt.Sprintf("%s, line %d", file, i+1), env); err != nil {
			return err
		}
	}
	return nil
}

// AddEnvironment reads the variables npm_config_registry and npm_config_@SCOPE:registry.
// environment is [os.Environ] or stands in for it.
func (c *Config) AddEnvironment(environment []string) error {
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		if len(name) < len("npm_config_") || !strings.EqualFold(name[:len("npm_config_")], "npm_config_") || value == "" {
			continue
		}
		key := name[len("npm_config_"):]
		if strings.EqualFold(key, "registry") {
			key = "registry"
		}
		// The environment expands its own variables.
		if err := c.set(key, value, "environment variable "+name, nil); err != nil {
			return err
		}
	}
	return nil
}

// SetRegistry sets the registry for all packages without a scope of their own.
func (c *Config) SetRegistry(address, from string) error {
	return c.set("registry", address, from, nil)
}

func (c *Config) set(key, value, from string, env func(string) (string, bool)) error {
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
	}
	if env != nil {
		var err error
		if value, err = expand(value, env); err != nil && interesting(key) {
			return fmt.Errorf("%s: %s: %w", from, key, err)
		}
		if key, err = expand(key, env); err != nil {
			return nil // as npm, which has no such key
		}
	}
	switch scope, isScope := strings.CutSuffix(key, ":registry"); {
	case key == "registry":
		return setRegistry(&c.registry, value, from)
	case isScope && strings.HasPrefix(scope, "@"):
		if c.scopes == nil {
			c.scopes = map[string]setting{}
		}
		var s setting
		if err := setRegistry(&s, value, from); err != nil {
			return err
		}
		c.scopes[scope] = s
	case key == "strict-ssl" && value == "false":
		return fmt.Errorf("%s: strict-ssl=false is not supported, because anybody on the way could change a package; name the certificate of your registry's authority in SSL_CERT_FILE", from)
	case strings.HasPrefix(key, "//"):
		at := strings.LastIndex(key, ":")
		if at < 0 {
			return nil
		}
		c.setCredential(strings.TrimSuffix(key[:at], "/")+"/", key[at+1:], setting{value, from})
	}
	return nil
}

// interesting are the keys whose variables must be set. npm has many that are not used here.
func interesting(key string) bool {
	return key == "registry" || strings.HasSuffix(key, ":registry")
}

func (c *Config) setCredential(at, key string, s setting) {
	if c.credentials == nil {
		c.credentials = map[string]*credential{}
	}
	if c.credentials[at] == nil {
		c.credentials[at] = &credential{}
	}
	switch one := c.credentials[at]; key {
	case "_authToken":
		one.token = s
	case "_auth":
		one.auth = s
	case "username":
		one.username = s
	case "_password":
		one.password = s
	}
}

func setRegistry(s *setting, value, from string) error {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%s: %q is not the address of a registry; write a URL such as https://registry.example.com/", from, value)
	}
	if u.User != nil {
		return fmt.Errorf("%s: the address of the registry has a user name or password; write them as //%s/:_auth instead", from, u.Host)
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	*s = setting{u.String(), from}
	return nil
}

var variable = regexp.MustCompile(`\$\{([^}]+)\}`)

// expand replaces each ${VARIABLE}. An unset variable is an error, and stays as it is.
func expand(text string, env func(string) (string, bool)) (string, error) {
	var err error
	text = variable.ReplaceAllStringFunc(text, func(all string) string {
		name := strings.TrimSuffix(all[2:len(all)-1], "?")
		value, ok := env(name)
		if !ok && !strings.HasSuffix(all, "?}") {
			err = fmt.Errorf("the environment variable %s is not set; set it, or delete the line", name)
			return all
		}
		return value
	})
	return text, err
}

// Registry returns the URL of the registry that has a package. It ends with a slash.
func (c *Config) Registry(name string) (string, error) {
	if scope, _, scoped := strings.Cut(name, "/"); scoped {
		if s, ok := c.scopes[scope]; ok {
			return s.value, nil
		}
	}
	if c.registry.value != "" {
		return c.registry.value, nil
	}
	c.once.Do(func() {
		if c.ask != nil {
			_ = setRegistry(&c.asked, c.ask(), "npm config get registry") // without a URL it stays empty
		}
	})
	if c.asked.value == "" {
		return "", errNoRegistry
	}
	return c.asked.value, nil
}

// authorization returns the header for a URL, or "". Credentials are for a host and all paths
// below one, so that no other host ever gets them.
func (c *Config) authorization(u *url.URL) (string, error) {
	path := u.EscapedPath()
	for {
		path = path[:strings.LastIndex(path, "/")+1]
		if one := c.credentials["//"+u.Host+path]; one != nil {
			return one.header()
		}
		if path == "" || path == "/" {
			return "", nil
		}
		path = strings.TrimSuffix(path, "/")
	}
}

func (c *credential) header() (string, error) {
	for _, s := range []setting{c.token, c.auth, c.password} {
		if name := variable.FindString(s.value); name != "" {
			return "", fmt.Errorf("%s: the environment variable %s is not set; set it, or delete the line", s.from, strings.Trim(name, "${}"))
		}
	}
	switch {
	case c.token.value != "":
		return "Bearer " + c.token.value, nil
	case c.auth.value != "":
		return "Basic " + c.auth.value, nil
	case c.username.value != "" && c.password.value != "":
		password, err := base64.StdEncoding.DecodeString(c.password.value)
		if err != nil {
			return "", fmt.Errorf("%s: _password is not Base64; write it as npm does", c.password.from)
		}
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.username.value+":"+string(password))), nil
	}
	return "", nil
}
