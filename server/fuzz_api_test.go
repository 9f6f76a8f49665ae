package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server/api"
)

// Any body for a new sandbox or a patch is either accepted literally, or refused with a
// problem. If it is refused, nothing has changed.
func FuzzAPIBody(f *testing.F) {
	often := Rate{PerSecond: 1e12, Burst: 1 << 40}
	s, sandbox := serverWith(f, Config{Limits: Limits{API: often}})
	a := &apiServer{Server: s, t: f}
	for _, seed := range []string{
		`{}`, `{"name":"a","files":{"/a":{"text":"a"},"/b":{"base64":"AAE="}},"policy":"version: 1\ndefault: block\n","entry":"/a","fallback":"/a","keep":true,"ttl":60}`,
		`{"set":{"/a":{"text":"a"}},"delete":["/index.html"]}`, `{"set":{"/index.html":{"base64":""}}}`, `{"delete":["/none"]}`, `{"set":{"/a":{"text":""}},"delete":["/a"]}`, `{"set":null,"delete":[null]}`,
		`{"files":{"/a":{"text":"a"},"/a":{"text":"b"}}}`, `{"files":{"/a":{"TEXT":"a"}}}`, `{"files":{"/../a":{"text":""}}}`, `{"files":{"/a/b":{"text":""},"/a":{"text":""}}}`,
		`{"files":{"/.bellglass/sw.js":{"text":""}}}`, `{"files":{"\ud800":{"text":""}}}`, `{"policy":"version: 1\nrules: [{allow: '*'}]"}`, `{"policy":"\u0000"}`, `{"ttl":1e400}`, `{"ttl":-1}`, `{"ttl":9223372036854775807}`,
		`{"entry":"//evil.example/"}`, `{"entry":"/\r\nX: y"}`, `{"name":"</script>"}`, `[]`, `null`, ``, `{`, "\xff", `{}{}`, strings.Repeat(`{"files":`, 40), `{"set":{"/a":{"base64":"*"}}}`, `{"set":{"/\u0000":{"text":""}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a.t = t
		for _, c := range []call{a.call("POST", "/sandboxes", ""), a.call("PATCH", "/sandboxes/"+sandbox.ID()+"/files", "")} {
			before := a.state()
			got := a.ask(c.withBody(string(body)).with("Content-Type", api.MediaJSON))
			if err := policed(got.header); err != nil {
				t.Error(err)
			}
			if got.status >= 400 {
				if p := problemIn(t, got); p.Status >= 500 || a.state() != before {
					t.Errorf("%s %q: %+v", c.method, body, p)
				}
				continue
			}
			if !json.Valid(body) || bytes.Contains(body, []byte("\xff")) {
				t.Errorf("%s %q is taken and no JSON", c.method, body)
			}
			checkTaken(t, a, c.method, body, got)
		}
	})
}

// checkTaken checks that the server has accepted what encoding/json decodes. Then it undoes
// the change.
func checkTaken(t *testing.T, a *apiServer, method string, body []byte, got response) {
	t.Helper()
	var wanted NewSandbox
	var patch FilesPatch
	if method == http.MethodPatch {
		if err := json.Unmarshal(body, &patch); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		sandbox := a.Sandboxes()[0]
		files, _ := sandbox.Files()
		for path := range patch.Set {
			if _, is := files.Lookup(path); !is {
				t.Errorf("%q: %q is not there", body, path)
			}
		}
		first, err := a.Store().Snapshot(map[string][]byte{"/index.html": []byte("x")}, files.Limits())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sandbox.SetFiles(first); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := json.Unmarshal(body, &wanted); err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	info := answered[Info](t, got, 201)
	defer a.Remove(info.ID)
	if info.Files != len(wanted.Files) || info.Name != wanted.Name || info.Fallback != wanted.Fallback || info.Keep != wanted.Keep || (wanted.TTL > 0) != (info.Expires != nil) {
		t.Errorf("%q makes %+v", body, info)
	}
	if policy, _ := a.Sandbox(info.ID).Policy(); wanted.Policy != "" && policy.Text() != wanted.Policy {
		t.Errorf("%q has the policy %q", body, policy.Text())
	}
}
