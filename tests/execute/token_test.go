package execute

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// serve without a token prints one, and the API accepts it.
func TestServePrintsAToken(t *testing.T) {
	t.Parallel()
	out := command.Start(t, "serve", "--addr", "127.0.0.1:0").WaitOutput(t, "token      ")
	found := regexp.MustCompile(`(?s)localhost:(\d+)/\n.*\ntoken      (\S+)\n`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it prints %q", out)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%s/api/v1/sandboxes", found[1]), nil)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]int{found[2]: http.StatusOK, "another": http.StatusUnauthorized} {
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body := glass.Body(t, response)
		if response.StatusCode != want || want == http.StatusOK && !strings.Contains(body, `"name":"example"`) {
			t.Errorf("with the token %s: %d %s", token, response.StatusCode, body)
		}
	}
}
