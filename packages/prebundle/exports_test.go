package prebundle

import (
	"strings"
	"testing"
)

// The targets are those of Node.js, for the conditions of a browser.
func TestTarget(t *testing.T) {
	browser := conditions{"browser", "import", "production"}
	for _, test := range []struct {
		exports, subpath, want string // want is "" if there is no target
	}{
		{`"./a.js"`, ".", "./a.js"},
		{`"./a.js"`, "./a.js", ""},
		{`{"import": "./i.js", "default": "./d.js"}`, ".", "./i.js"},
		{`{"default": "./d.js", "import": "./i.js"}`, ".", "./d.js"},
		{`{"node": "./n.js", "require": "./r.js"}`, ".", ""},
		{`{".": {"node": "./n.js", "browser": {"development": "./dev.js", "production": "./p.js"}}}`, ".", "./p.js"},
		{`{".": {"browser": {"node": "./n.js"}, "default": "./d.js"}}`, ".", "./d.js"},
		{`{".": {"browser": null, "default": "./d.js"}}`, ".", ""},
		{`{".": ["./first.js", "./second.js"]}`, ".", "./first.js"},
		{`{".": [{"node": "./n.js"}, "./second.js"]}`, ".", "./second.js"},
		{`{"./a": "./x.js"}`, "./a", "./x.js"},
		{`{"./a": "./x.js"}`, "./b", ""},
		{`{"./*": "./src/*.js"}`, "./a/b", "./src/a/b.js"},
		{`{"./*": "./src/*/*.js"}`, "./a", "./src/a/a.js"},
		{`{"./*": "./src/*.js", "./private/*": null}`, "./private/a", ""},
		{`{"./*": "./src/*.js", "./private/*": null}`, "./public/a", "./src/public/a.js"},
		{`{"./*": "./all/*", "./a/*": "./some/*", "./a/b/*": "./few/*"}`, "./a/b/c", "./few/c"},
		{`{"./*.css": "./css/*.css", "./*": "./js/*.js"}`, "./a.css", "./css/a.css"},
		{`{"./*.js": "./x/*.js"}`, "./.js", ""},
		{`{"./a/": "./lib/a/"}`, "./a/b.js", "./lib/a/b.js"},
		{`{"./*": "./src/*"}`, "./../x", ""},
		{`{"./*": "./src/*"}`, "./node_modules/x", ""},
		{`{"./*": "./src/*"}`, "./", ""},
		{`{"./a*b": "./x.js"}`, "./ab", ""},
	} {
		m, err := parseManifest([]byte(`{"exports": ` + test.exports + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := target(m.exports, test.subpath, browser); got != test.want {
			t.Errorf("%s of %s is %q, want %q", test.subpath, test.exports, got, test.want)
		}
	}
}

func TestSplitSpecifier(t *testing.T) {
	for specifier, want := range map[string][2]string{
		"react": {"react", "."}, "react-dom/client": {"react-dom", "./client"}, "@a/b": {"@a/b", "."}, "@a/b/c/d.js": {"@a/b", "./c/d.js"}, "@a": {"@a", "."}, "": {"", "."}, "a/": {"a", "."},
	} {
		if name, subpath := SplitSpecifier(specifier); name != want[0] || subpath != want[1] {
			t.Errorf("%q is %q, %q", specifier, name, subpath)
		}
	}
}

// package.json of a hostile package.
func TestManifestMistakes(t *testing.T) {
	for _, text := range []string{"", "[", "{", `{"exports": `, strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)} {
		if m, err := parseManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), "package.json") {
			t.Errorf("%.20q: %+v, %v", text, m, err)
		}
	}
	for _, text := range []string{`[]`, `1`, `{"exports": 1, "main": 1, "browser": [1]}`, `{"exports": {}}`, `{"exports": []}`} {
		if m, err := parseManifest([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if m.exports != nil {
			if to, ok := target(m.exports, ".", nil); ok {
				t.Errorf("%s has the target %q", text, to)
			}
		}
	}
}
