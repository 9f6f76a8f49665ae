package btcp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/btcp"
)

// What is wrong with a message, and whether it may run.
func TestCallIsChecked(t *testing.T) {
	const body = `"type":"execute","toolCode":"return 1"`
	schema := func(schema, args string) string {
		return `{"id":1,` + body + `,"inputSchema":` + schema + `,"args":` + args + `}`
	}
	const point = `{"type":"object","properties":{"x":{"type":"number"},"mail":{"type":"string","format":"email"}},"required":["x"],"additionalProperties":false}`
	for _, row := range []struct {
		name, message string
		code          btcp.Code // "" if the message is valid
		says          string
	}{
		{"a text as id", `{"id":"a",` + body + `}`, "", ""},
		{"a number as id", `{"id":-7,` + body + `}`, "", ""},
		{"all of it", `{"id":"a",` + body + `,"args":{"a":1},"capabilities":["network:fetch"],"sandbox":"iframe","timeout":1000}`, "", ""},
		{"null as args", `{"id":1,` + body + `,"args":null}`, "", ""},
		{"no id", `{` + body + `}`, btcp.InvalidParams, "id"},
		{"null as id", `{"id":null,` + body + `}`, btcp.InvalidParams, "id"},
		{"an object as id", `{"id":{},` + body + `}`, btcp.InvalidParams, "id"},
		{"a long id", `{"id":"` + strings.Repeat("x", 1000) + `",` + body + `}`, btcp.InvalidParams, "id"},
		{"another type", `{"id":1,"type":"result","toolCode":"1"}`, btcp.InvalidParams, "execute"},
		{"no code", `{"id":1,"type":"execute","toolCode":" "}`, btcp.InvalidParams, "toolCode"},
		{"another sandbox", `{"id":1,` + body + `,"sandbox":"ses"}`, btcp.InvalidParams, "ses"},
		{"a short timeout", `{"id":1,` + body + `,"timeout":999}`, btcp.InvalidParams, "999"},
		{"a long timeout", `{"id":1,` + body + `,"timeout":300001}`, btcp.InvalidParams, "300001"},
		{"a negative timeout", `{"id":1,` + body + `,"timeout":-1}`, btcp.InvalidParams, "-1"},
		{"an unknown capability", `{"id":1,` + body + `,"capabilities":["dom:everything"]}`, btcp.CapabilityDenied, "unknown"},
		{"a capability of the host", `{"id":1,` + body + `,"capabilities":["network:fetch","dom:shadow"]}`, btcp.CapabilityDenied, "dom:shadow"},

		{"args that match", schema(point, `{"x":1,"mail":"a@b.example"}`), "", ""},
		{"a wrong type", schema(point, `{"x":"1"}`), btcp.InvalidParams, "'/x'"},
		{"a missing one", schema(point, `{}`), btcp.InvalidParams, "x"},
		{"one too many", schema(point, `{"x":1,"y":2}`), btcp.InvalidParams, "'y'"},
		{"a wrong format", schema(point, `{"x":1,"mail":"a"}`), btcp.InvalidParams, "email"},
		{"no args", `{"id":1,` + body + `,"inputSchema":` + point + `}`, btcp.InvalidParams, "missing"},
		{"a schema that allows all", schema(`true`, `1`), "", ""},
		{"a schema that allows nothing", schema(`false`, `1`), btcp.InvalidParams, "match"},
		{"an older draft", schema(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"const":1}]}`, `[1]`), "", ""},
		{"no schema", schema(`{"type":"text"}`, `1`), btcp.InvalidParams, "rejected"},
		{"a schema that is a text", schema(`"x"`, `1`), btcp.InvalidParams, "rejected"},
		{"a schema of elsewhere", schema(`{"$ref":"https://schemas.example/a.json"}`, `1`), btcp.InvalidParams, "rejected"},
		{"a schema on this disk", schema(`{"$ref":"file:///etc/passwd"}`, `1`), btcp.InvalidParams, "rejected"},
		{"a schema of an unknown draft", schema(`{"$schema":"https://schemas.example/draft"}`, `1`), btcp.InvalidParams, "rejected"},
		{"a schema that names itself", schema(`{"$ref":"#"}`, `1`), btcp.InvalidParams, ""},
		{"a pattern that no engine in linear time has", schema(`{"pattern":"(?=a)"}`, `"a"`), btcp.InvalidParams, "rejected"},
		{"a pattern that would backtrack", schema(`{"pattern":"^(a+)+$"}`, `"`+strings.Repeat("a", 5000)+`!"`), btcp.InvalidParams, "match"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var call btcp.Call
			if err := json.Unmarshal([]byte(row.message), &call); err != nil {
				t.Fatal(err)
			}
			err := call.Check()
			if row.code == "" {
				if err != nil {
					t.Errorf("it is rejected: %v", err)
				}
				return
			}
			if err == nil || err.Code != row.code || !strings.Contains(err.Message, row.says) {
				t.Fatalf("it gives %v, want %s with %q", err, row.code, row.says)
			}
			if len(err.Message) > 700 {
				t.Errorf("the message has %d bytes", len(err.Message))
			}
		})
	}
}

func TestReply(t *testing.T) {
	call := btcp.Call{ID: json.RawMessage(`"7"`)}
	for want, reply := range map[string]btcp.Reply{
		`{"id":"7","type":"result","result":[1]}`:                                   call.Answer(json.RawMessage(`[1]`)),
		`{"id":"7","type":"error","error":{"code":"TIMEOUT","message":"late"}}`:     call.Fail(&btcp.ToolError{Code: btcp.Timeout, Message: "late"}),
		`{"id":null,"type":"error","error":{"code":"INVALID_PARAMS","message":""}}`: (&btcp.Call{ID: json.RawMessage(`{}`)}).Fail(&btcp.ToolError{Code: btcp.InvalidParams}),
	} {
		if got, err := json.Marshal(reply); err != nil || string(got) != want {
			t.Errorf("it is %s, %v, want %s", got, err, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for timeout, want := range map[int64]time.Duration{0: 30 * time.Second, 1500: 1500 * time.Millisecond} {
		if got := (&btcp.Call{Timeout: timeout}).Duration(); got != want {
			t.Errorf("%d is %s", timeout, got)
		}
	}
}

// The module contains the body as one literal, whatever it says.
func TestModule(t *testing.T) {
	for _, body := range []string{"return 1", "}); evil(", "a\nb\r\u2028\u2029", `"'` + "`${x}`", "</script><!--", "\\"} {
		module := (&btcp.Call{ToolCode: body}).Module()
		literal, found := strings.CutPrefix(module, "export default (args, btcp) => new Function('btcp', 'args', ")
		literal, closed := strings.CutSuffix(literal, ")(btcp, args)\n")
		var read string
		if err := json.Unmarshal([]byte(literal), &read); !found || !closed || err != nil || read != body || strings.ContainsAny(literal, "\n\r\u2028\u2029<") {
			t.Errorf("%q is %s, %v", body, module, err)
		}
	}
}
