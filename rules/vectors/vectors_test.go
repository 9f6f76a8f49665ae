package vectors

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/rules"
)

func TestLoad(t *testing.T) {
	files, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := rules.Parse(file.Name, file.Policy); err != nil {
			t.Errorf("its policy is refused: %v", err)
		}
	}
}

func TestFormat(t *testing.T) {
	const text = "version: 1\n---\n# words\n\nallow GET fetch https://a/#x # y  # rule api\nblock get other https://{repeat:3:a.}b/  # default\n"
	files, err := load(fstest.MapFS{"a.txt": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []File{{Name: "a.txt", Policy: []byte("version: 1"), Cases: []Case{
		{Line: 5, Method: "GET", Type: rules.TypeFetch, URL: "https://a/#x # y", Action: rules.Allow, Rule: "api", Code: rules.CodeRule},
		{Line: 6, Method: "get", URL: "https://a.a.a.b/", Action: rules.Block, Code: "default"},
	}}}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMistakesAreFatal(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"version: 1\nallow GET fetch https://a/  # default\n", "no line ---"},
		{"version: 1\n---\n# nothing\n", "no cases"},
		{"version: 1\n---\npermit GET fetch https://a/  # default\n", `a.txt:3: rules: unknown action "permit"`},
		{"version: 1\n---\n\nblock GET xhr https://a/  # default\n", `a.txt:4: unknown type "xhr"`},
		{"version: 1\n---\nblock GET fetch https://a/  # because\n", `unknown grounds "because"`},
		{"version: 1\n---\nblock GET fetch https://a/\n", "no grounds"},
		{"version: 1\n---\nblock GET fetch  # default\n", "action, method, type and URL"},
		{"version: 1\n---\nallow GET fetch https://a/  # default\n", "only a rule can allow"},
		{"version: 1\n---\nblock GET fetch https://{repeat:x:a}/  # default\n", "{repeat:N:TEXT}"},
		{"version: 1\n---\nblock GET fetch https://{repeat:3:a/  # default\n", "{repeat:N:TEXT}"},
	} {
		_, err := load(fstest.MapFS{"a.txt": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: got %v, want an error with %q", c.text, err, c.says)
		}
	}
	if _, err := load(fstest.MapFS{}); err == nil {
		t.Error("no files, and no error")
	}
}
