package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
)

const policy = "version: 1\ndefault: block\nscripts: [inline]\nrules:\n  - id: api\n    allow: https://api.example.com/v1/**\n"

var binary = []byte{0, 0xff, '\n'}

func text(s string) FileContent { return FileContent{Text: &s} }

// create makes the sandbox, once for one key.
func (l *life) create() {
	name, policy, flags, permissions := "life", policy, []string{"allow-modals"}, []string{"gamepad", "camera"}
	l.key = "the-first-one"
	l.wanted = NewSandbox{Name: &name, Labels: &map[string]string{"job": "life", "step": "1"}, Policy: &policy, Flags: &flags, Permissions: &permissions, Files: &map[string]FileContent{
		"/index.html": text(`<!doctype html><title>Life</title><p id="word">made</p>`), "/data.bin": {Base64: &binary},
	}}
	made := answered(l.client.CreateSandboxWithResponse(l.ctx, &CreateSandboxParams{IdempotencyKey: &l.key}, l.wanted))
	if made.JSON201 == nil || made.HTTPResponse.Header.Get("Location") != "/api/v1/sandboxes/"+made.JSON201.Id {
		fatal("create: %s %s", made.Status(), made.Body)
	}
	if !slices.Equal(made.JSON201.Flags, flags) || !slices.Equal(made.JSON201.Permissions, []string{"camera", "gamepad"}) {
		l.errorf("it was granted %q and %q", made.JSON201.Flags, made.JSON201.Permissions)
	}
	l.id, l.outerURL = made.JSON201.Id, made.JSON201.OuterUrl
	again := answered(l.client.CreateSandboxWithResponse(l.ctx, &CreateSandboxParams{IdempotencyKey: &l.key}, l.wanted))
	if again.JSON201 == nil || again.JSON201.Id != l.id {
		l.errorf("create again: %s %s", again.Status(), again.Body)
	}
	labels := []string{"job=life", "step"}
	list := answered(l.client.ListSandboxesWithResponse(l.ctx, &ListSandboxesParams{Label: &labels}))
	if list.JSON200 == nil || len(list.JSON200.Sandboxes) != 1 || !reflect.DeepEqual(list.JSON200.Sandboxes[0], *made.JSON201) {
		l.errorf("list: %s", list.Body)
	}
	renamed := "another life"
	patched := answered(l.client.PatchSandboxWithResponse(l.ctx, l.id, nil, SandboxPatch{Name: &renamed}))
	if patched.JSON200 == nil || patched.JSON200.Name != renamed || patched.JSON200.Revision != 1 {
		l.errorf("patch: %s %s", patched.Status(), patched.Body)
	}
}

// follow opens the stream of events, which stays open to the end.
func (l *life) follow() {
	l.events = bufio.NewScanner(answered(l.client.FollowEvents(l.ctx, l.id, nil)).Body)
	l.await(`"step":"created"`)
}

// changeFiles writes, reads, patches, deletes and lists files.
func (l *life) changeFiles() {
	put := answered(l.client.PutFileWithBodyWithResponse(l.ctx, l.id, "an odd/näme%.txt", nil, "text/plain", strings.NewReader("odd")))
	if put.JSON201 == nil || put.JSON201.Revision != 2 {
		l.errorf("put: %s %s", put.Status(), put.Body)
	}
	l.await("an odd/näme%.txt")
	for path, want := range map[string]string{"an odd/näme%.txt": "odd", "data.bin": string(binary)} {
		got := answered(l.client.GetFileWithResponse(l.ctx, l.id, path, nil))
		if got.StatusCode() != 200 || string(got.Body) != want {
			l.errorf("%s reads %s %q", path, got.Status(), got.Body)
		}
	}
	stale, revision := `"1"`, `"2"`
	patch := FilesPatch{Set: &map[string]FileContent{"/index.html": text(`<!doctype html><p id="word">changed</p><script>fetch('https://evil.example/').catch(() => {})</script>`)}, Delete: &[]string{"/data.bin"}}
	refused := answered(l.client.PatchFilesWithResponse(l.ctx, l.id, &PatchFilesParams{IfMatch: &stale}, patch))
	if p := refused.ApplicationproblemJSON4XX; p == nil || p.Code != "stale-revision" || p.Revision == nil || *p.Revision != 2 {
		l.errorf("a stale patch: %s %s", refused.Status(), refused.Body)
	}
	patched := answered(l.client.PatchFilesWithResponse(l.ctx, l.id, &PatchFilesParams{IfMatch: &revision}, patch))
	if patched.JSON200 == nil || patched.JSON200.Revision != 3 {
		l.errorf("patch: %s %s", patched.Status(), patched.Body)
	}
	deleted := answered(l.client.DeleteFileWithResponse(l.ctx, l.id, "an odd/näme%.txt", nil))
	if deleted.JSON200 == nil || deleted.JSON200.Revision != 4 {
		l.errorf("delete a file: %s %s", deleted.Status(), deleted.Body)
	}
	files := answered(l.client.ListFilesWithResponse(l.ctx, l.id, nil))
	if f := files.JSON200; f == nil || f.Revision != 4 || len(f.Files) != 1 || f.Files[0].Path != "/index.html" || f.Files[0].Type != "text/html; charset=utf-8" {
		l.errorf("the files: %s", files.Body)
	}
}

// changePolicy asks the policy for its reasons, before and after it is changed.
func (l *life) changePolicy() {
	if e := l.explain(); e.Verdict != "allow" || e.Rule != "api" || e.Line != 5 {
		l.errorf("the explanation is %+v", e)
	}
	wrong := answered(l.client.PutPolicyWithBodyWithResponse(l.ctx, l.id, nil, "application/yaml", strings.NewReader("version: 1\nrules:\n  - alow: https://a.example\n")))
	if p := wrong.ApplicationproblemJSON4XX; p == nil || p.Code != "bad-policy" || p.Mistakes == nil || (*p.Mistakes)[0].Line != 3 || (*p.Mistakes)[0].Column != 5 {
		l.errorf("a wrong policy: %s %s", wrong.Status(), wrong.Body)
	}
	narrower := strings.Replace(policy, "/v1/**\n", "/v1/**\n    methods: [GET]\n", 1)
	changed := answered(l.client.PutPolicyWithBodyWithResponse(l.ctx, l.id, nil, "application/yaml", strings.NewReader(narrower)))
	read := answered(l.client.GetPolicyWithResponse(l.ctx, l.id, nil))
	if changed.JSON200 == nil || changed.JSON200.Revision != 5 || string(read.Body) != narrower {
		l.errorf("the policy: %s, reads %q", changed.Body, read.Body)
	}
	if e := l.explain(); e.Verdict != "block" || e.Code != "default" {
		l.errorf("the explanation is %+v", e)
	}
}

func (l *life) explain() *Explanation {
	got := answered(l.client.ExplainWithResponse(l.ctx, l.id, nil, Question{Method: "DELETE", Url: "https://api.example.com/v1/users"}))
	if got.JSON200 == nil {
		fatal("explain: %s %s", got.Status(), got.Body)
	}
	return got.JSON200
}

// run hears what the page tries that a browser shows, and has it run code.
func (l *life) run() {
	l.show("changed")
	l.await(`https://evil.example/`)
	args, patience, id := any(map[string]int{"a": 2, "b": 3}), int64(60_000), "adding-1"
	ran := answered(l.client.ExecuteWithResponse(l.ctx, l.id, ExecutionRequest{Id: &id, Code: "export default ({ a, b }) => { console.log('adding'); return a + b }", Args: args, TimeoutMs: &patience}))
	if o := ran.JSON200; o == nil || o.Error != nil || o.Result != 5.0 || o.Id != id || len(o.Console) != 1 || o.Console[0].Text != "adding" || *o.Console[0].Execution != id {
		l.errorf("the execution: %s %s", ran.Status(), ran.Body)
	}
}

// replaceFiles puts an archive in the place of all files.
func (l *life) replaceFiles() {
	var archive bytes.Buffer
	packed := zip.NewWriter(&archive)
	entry := answered(packed.Create("index.html"))
	answered(io.WriteString(entry, `<!doctype html><p id="word">unpacked</p>`))
	must(packed.Close())
	replaced := answered(l.client.ReplaceFilesWithBodyWithResponse(l.ctx, l.id, nil, "application/zip", &archive))
	if replaced.JSON200 == nil || replaced.JSON200.Revision != 6 {
		l.errorf("replace: %s %s", replaced.Status(), replaced.Body)
	}
	l.show("unpacked")
}

// remove ends the sandbox, and with it the stream.
func (l *life) remove() {
	gone := answered(l.client.DeleteSandboxWithResponse(l.ctx, l.id, nil))
	if gone.StatusCode() != 204 {
		l.errorf("delete: %s %s", gone.Status(), gone.Body)
	}
	l.await(`"step":"removed"`)
	for l.events.Scan() {
		if l.events.Text() != "" {
			l.errorf("after its end the stream says %q", l.events.Text())
		}
	}
	must(l.events.Err())
	none := answered(l.client.GetSandboxWithResponse(l.ctx, l.id, nil))
	if p := none.ApplicationproblemJSON4XX; p == nil || p.Code != "unknown-sandbox" {
		l.errorf("afterwards: %s %s", none.Status(), none.Body)
	}
	last := answered(l.client.CreateSandboxWithResponse(l.ctx, &CreateSandboxParams{IdempotencyKey: &l.key}, l.wanted))
	if p := last.ApplicationproblemJSON4XX; p == nil || p.Code != "sandbox-removed" {
		l.errorf("the same key afterwards: %s %s", last.Status(), last.Body)
	}
}
