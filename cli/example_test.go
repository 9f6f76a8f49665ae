package cli

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// Without a folder the embedded example runs, with a policy that shows an
// allowed and a blocked request.
func TestExample(t *testing.T) {
	source, err := openSource("", "", vfs.NewStore(1<<30), folderFlags{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/index.html", "/app.js", "/attempts.js", "/style.css", "/wisdom.json"} {
		if entry, ok := source.files.Lookup(path); !ok || entry.Size == 0 {
			t.Errorf("the example has no %s", path)
		}
	}
	if source.policy == nil || source.policy.Name != "example/rules.yaml" || len(source.policy.Rules) == 0 {
		t.Fatalf("the example's policy is %+v", source.policy)
	}
	judge := firewall.New(source.policy)
	seen := map[rules.Action]bool{}
	for _, rule := range source.policy.Rules {
		seen[rule.Action] = true
		if rule.Reason == "" {
			t.Errorf("rule %s, which teaches, states no reason", rule.ID)
		}
	}
	if !seen[rules.Allow] || !seen[rules.Block] {
		t.Errorf("the example shows %v", seen)
	}
	if v := judge.Decide(firewall.Request{Method: "GET", URL: "https://evil.test/", Type: rules.TypeFetch}); v.Action != rules.Block || v.Code != rules.CodeDefault {
		t.Errorf("what no rule names is %+v", v)
	}
	text, err := source.files.ReadFile("attempts.js")
	if err != nil {
		t.Fatal(err)
	}
	server := regexp.MustCompile(`const server = '(http://localhost:\d+)'`).FindSubmatch(text)
	if server == nil || bytes.Contains(text, []byte("EXAMPLE_SERVER")) {
		t.Fatalf("the example asks no server of its own:\n%s", text)
	}
	url := string(server[1]) + "/hello"
	for method, action := range map[string]rules.Action{"GET": rules.Allow, "POST": rules.Block} {
		if v := judge.Decide(firewall.Request{Method: method, URL: url, Type: rules.TypeFetch}); v.Action != action {
			t.Errorf("%s %s is %+v", method, url, v)
		}
	}
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if hello, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 || !bytes.HasPrefix(hello, []byte("Hello")) || response.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("the example's server answers %s, %q, %v", response.Status, hello, err)
	}
	if err := source.close(); err != nil {
		t.Error(err)
	}
	if response, err := http.Get(url); err == nil {
		response.Body.Close()
		t.Error("the example's server outlives the example")
	}
}
