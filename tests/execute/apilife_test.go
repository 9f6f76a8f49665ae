package execute

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/apiclient"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A program that has nothing but a generated client lives the whole life of a
// sandbox, and a browser shows what it has pushed.
func TestLifeByTheHTTPAPI(t *testing.T) {
	t.Parallel()
	const token = "a-token-of-the-configuration"
	embedder, port := listenEmbedder(t)
	g := glass.Start(t, func(c *server.Config) {
		c.Tokens, c.Embedders = []string{token}, []string{fmt.Sprintf("http://localhost:%d", port)}
	})
	client := newAPIClient(t, g.Port, token)
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	text := func(s string) apiclient.FileContent { return apiclient.FileContent{Text: &s} }
	binary := []byte{0, 0xff, '\n'}

	// It is made, once for one key.
	name, key, policy := "life", "the-first-one", "version: 1\ndefault: block\nscripts: [inline]\nrules:\n  - id: api\n    allow: https://api.example.com/v1/**\n"
	flags, permissions := []string{"allow-modals"}, []string{"gamepad", "camera"}
	wanted := apiclient.NewSandbox{Name: &name, Policy: &policy, Flags: &flags, Permissions: &permissions, Files: &map[string]apiclient.FileContent{
		"/index.html": text(`<!doctype html><title>Life</title><p id="word">made</p>`), "/data.bin": {Base64: &binary},
	}}
	made, err := client.CreateSandboxWithResponse(ctx, &apiclient.CreateSandboxParams{IdempotencyKey: &key}, wanted)
	must(t, err)
	if made.JSON201 == nil || made.HTTPResponse.Header.Get("Location") != "/api/v1/sandboxes/"+made.JSON201.Id {
		t.Fatalf("create: %s %s", made.Status(), made.Body)
	}
	if !slices.Equal(made.JSON201.Flags, flags) || !slices.Equal(made.JSON201.Permissions, []string{"camera", "gamepad"}) {
		t.Errorf("it was granted %q and %q", made.JSON201.Flags, made.JSON201.Permissions)
	}
	id := made.JSON201.Id
	again, err := client.CreateSandboxWithResponse(ctx, &apiclient.CreateSandboxParams{IdempotencyKey: &key}, wanted)
	must(t, err)
	if again.JSON201 == nil || again.JSON201.Id != id {
		t.Errorf("create again: %s %s", again.Status(), again.Body)
	}
	list, err := client.ListSandboxesWithResponse(ctx)
	must(t, err)
	if list.JSON200 == nil || len(list.JSON200.Sandboxes) != 1 || !reflect.DeepEqual(list.JSON200.Sandboxes[0], *made.JSON201) {
		t.Errorf("list: %s", list.Body)
	}

	// It is followed from here on.
	stream, err := client.FollowEvents(ctx, id, nil)
	must(t, err)
	defer stream.Body.Close()
	events := bufio.NewScanner(stream.Body)
	follow := func(what string) {
		t.Helper()
		for events.Scan() {
			if strings.HasPrefix(events.Text(), "data: ") && strings.Contains(events.Text(), what) {
				return
			}
		}
		t.Fatalf("no event with %q: %v", what, events.Err())
	}
	follow(`"step":"created"`)

	// Files are written, read, listed, changed together and deleted.
	put, err := client.PutFileWithBodyWithResponse(ctx, id, "an odd/näme%.txt", nil, "text/plain", strings.NewReader("odd"))
	must(t, err)
	if put.JSON201 == nil || put.JSON201.Revision != 2 {
		t.Errorf("put: %s %s", put.Status(), put.Body)
	}
	follow("an odd/näme%.txt")
	for path, want := range map[string]string{"an odd/näme%.txt": "odd", "data.bin": string(binary)} {
		got, err := client.GetFileWithResponse(ctx, id, path, nil)
		must(t, err)
		if got.StatusCode() != 200 || string(got.Body) != want {
			t.Errorf("%s reads %s %q", path, got.Status(), got.Body)
		}
	}
	stale, revision := `"1"`, `"2"`
	patch := apiclient.FilesPatch{Set: &map[string]apiclient.FileContent{"/index.html": text(`<!doctype html><p id="word">changed</p><script>fetch('https://evil.example/').catch(() => {})</script>`)}, Delete: &[]string{"/data.bin"}}
	refused, err := client.PatchFilesWithResponse(ctx, id, &apiclient.PatchFilesParams{IfMatch: &stale}, patch)
	must(t, err)
	if p := refused.ApplicationproblemJSON4XX; p == nil || p.Code != "stale-revision" || p.Revision == nil || *p.Revision != 2 {
		t.Errorf("a stale patch: %s %s", refused.Status(), refused.Body)
	}
	patched, err := client.PatchFilesWithResponse(ctx, id, &apiclient.PatchFilesParams{IfMatch: &revision}, patch)
	must(t, err)
	if patched.JSON200 == nil || patched.JSON200.Revision != 3 {
		t.Errorf("patch: %s %s", patched.Status(), patched.Body)
	}
	deleted, err := client.DeleteFileWithResponse(ctx, id, "an odd/näme%.txt", nil)
	must(t, err)
	if deleted.JSON200 == nil || deleted.JSON200.Revision != 4 {
		t.Errorf("delete a file: %s %s", deleted.Status(), deleted.Body)
	}
	files, err := client.ListFilesWithResponse(ctx, id, nil)
	must(t, err)
	if l := files.JSON200; l == nil || l.Revision != 4 || len(l.Files) != 1 || l.Files[0].Path != "/index.html" || l.Files[0].Type != "text/html; charset=utf-8" {
		t.Errorf("the files: %s", files.Body)
	}

	// Its policy says why.
	explain := func() *apiclient.Explanation {
		t.Helper()
		got, err := client.ExplainWithResponse(ctx, id, nil, apiclient.Question{Method: "DELETE", Url: "https://api.example.com/v1/users"})
		must(t, err)
		if got.JSON200 == nil {
			t.Fatalf("explain: %s %s", got.Status(), got.Body)
		}
		return got.JSON200
	}
	if e := explain(); e.Verdict != "allow" || e.Rule != "api" || e.Line != 5 {
		t.Errorf("the explanation is %+v", e)
	}
	wrong, err := client.PutPolicyWithBodyWithResponse(ctx, id, nil, "application/yaml", strings.NewReader("version: 1\nrules:\n  - alow: https://a.example\n"))
	must(t, err)
	if p := wrong.ApplicationproblemJSON4XX; p == nil || p.Code != "bad-policy" || p.Mistakes == nil || (*p.Mistakes)[0].Line != 3 || (*p.Mistakes)[0].Column != 5 {
		t.Errorf("a wrong policy: %s %s", wrong.Status(), wrong.Body)
	}
	narrower := strings.Replace(policy, "/v1/**\n", "/v1/**\n    methods: [GET]\n", 1)
	changed, err := client.PutPolicyWithBodyWithResponse(ctx, id, nil, "application/yaml", strings.NewReader(narrower))
	must(t, err)
	read, err := client.GetPolicyWithResponse(ctx, id, nil)
	must(t, err)
	if changed.JSON200 == nil || changed.JSON200.Revision != 5 || string(read.Body) != narrower {
		t.Errorf("the policy: %s, reads %q", changed.Body, read.Body)
	}
	if e := explain(); e.Verdict != "block" || e.Code != "default" {
		t.Errorf("the explanation is %+v", e)
	}

	// A page that embeds outerUrl shows it, and the program hears what it tried.
	glass.Serve(t, embedder, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Embedder</title><iframe src=%q></iframe>`, made.JSON201.OuterUrl)
	}))
	page := glass.NewPage(t)
	if _, err := page.Goto(fmt.Sprintf("http://localhost:%d/", port)); err != nil {
		t.Fatal(err)
	}
	shown := page.FrameLocator("iframe").FrameLocator("iframe").Locator("#word")
	if err := browser.Expect(shown).ToHaveText("changed"); err != nil {
		t.Error(err)
	}
	follow(`https://evil.example/`)

	// Code that runs there answers the program.
	args, patience := any(map[string]int{"a": 2, "b": 3}), int64(60_000)
	ran, err := client.ExecuteWithResponse(ctx, id, apiclient.ExecutionRequest{Code: "export default ({ a, b }) => { console.log('adding'); return a + b }", Args: args, TimeoutMs: &patience})
	must(t, err)
	if o := ran.JSON200; o == nil || o.Error != nil || o.Result != 5.0 || len(o.Console) != 1 || o.Console[0].Text != "adding" {
		t.Errorf("the execution: %s %s", ran.Status(), ran.Body)
	}

	// An archive takes the place of all files.
	var archive bytes.Buffer
	packed := zip.NewWriter(&archive)
	entry, err := packed.Create("index.html")
	must(t, err)
	_, err = io.WriteString(entry, `<!doctype html><p id="word">unpacked</p>`)
	must(t, err)
	must(t, packed.Close())
	replaced, err := client.ReplaceFilesWithBodyWithResponse(ctx, id, nil, "application/zip", &archive)
	must(t, err)
	if replaced.JSON200 == nil || replaced.JSON200.Revision != 6 {
		t.Errorf("replace: %s %s", replaced.Status(), replaced.Body)
	}
	_, err = page.Reload()
	must(t, err)
	if err := browser.Expect(shown).ToHaveText("unpacked"); err != nil {
		t.Error(err)
	}

	// It ends, and the stream with it.
	gone, err := client.DeleteSandboxWithResponse(ctx, id, nil)
	must(t, err)
	if gone.StatusCode() != 204 {
		t.Errorf("delete: %s %s", gone.Status(), gone.Body)
	}
	follow(`"step":"removed"`)
	for events.Scan() {
		if events.Text() != "" {
			t.Errorf("after its end the stream says %q", events.Text())
		}
	}
	must(t, events.Err())
	none, err := client.GetSandboxWithResponse(ctx, id, nil)
	must(t, err)
	if p := none.ApplicationproblemJSON4XX; p == nil || p.Code != "unknown-sandbox" {
		t.Errorf("afterwards: %s %s", none.Status(), none.Body)
	}
	last, err := client.CreateSandboxWithResponse(ctx, &apiclient.CreateSandboxParams{IdempotencyKey: &key}, wanted)
	must(t, err)
	if p := last.ApplicationproblemJSON4XX; p == nil || p.Code != "sandbox-removed" {
		t.Errorf("the same key afterwards: %s %s", last.Status(), last.Body)
	}
}

// Whoever starts the program without a token is given one.
func TestServePrintsAToken(t *testing.T) {
	t.Parallel()
	out := command.Start(t, "serve", "--addr", "127.0.0.1:0").WaitOutput(t, "token      ")
	found := regexp.MustCompile(`(?s)localhost:(\d+)/\n.*\ntoken      (\S+)\n`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it prints %q", out)
	}
	port, err := strconv.Atoi(found[1])
	must(t, err)
	list, err := newAPIClient(t, port, found[2]).ListSandboxesWithResponse(t.Context())
	must(t, err)
	if list.JSON200 == nil || len(list.JSON200.Sandboxes) != 1 || list.JSON200.Sandboxes[0].Name != "example" {
		t.Errorf("the sandboxes: %s %s", list.Status(), list.Body)
	}
}

// newAPIClient makes a client as a program does. Its host is dialled at the loopback
// address, because Go's resolver may not know localhost.
func newAPIClient(t *testing.T, port int, token string) *apiclient.ClientWithResponses {
	t.Helper()
	dialer := net.Dialer{Timeout: time.Minute}
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", port))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := apiclient.NewClientWithResponses(fmt.Sprintf("http://localhost:%d/api/v1", port),
		apiclient.WithHTTPClient(&http.Client{Transport: transport}),
		apiclient.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	must(t, err)
	return client
}

func listenEmbedder(t *testing.T) ([]net.Listener, int) {
	t.Helper()
	listeners := glass.Listen(t)
	return listeners, listeners[0].Addr().(*net.TCPAddr).Port
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
