package sw_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/bellglass/bellglass/protocol"
)

// Anybody can post a message to the outer frame. The outer frame accepts only what the
// protocol has: it turns a message into one of the protocol's own types, or ignores it.
func FuzzOuterMessages(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"boot","protocol":1,"phase":"started","view":true}`, `{"kind":"boot","protocol":1,"phase":"ready","view":false,"containment":"allowlist","extra":1}`,
		`{"kind":"boot","protocol":1,"phase":"waiting","view":true,"stage":"control"}`, `{"kind":"boot","protocol":1,"phase":"waiting","view":true,"stage":"toString"}`,
		`{"kind":"boot","protocol":1,"phase":"failed","view":true,"code":"boot-loop","text":"a","advice":"b"}`,
		`{"kind":"boot","protocol":1,"phase":"failed","view":true,"code":"constructor","text":"a","advice":"b"}`,
		`{"kind":"boot","protocol":1,"phase":"failed","view":true,"code":"boot-loop","text":"` + strings.Repeat("é", 600) + `","advice":["b"]}`,
		`{"kind":"boot","protocol":1,"phase":"started","view":true,"enough":["perfect"]}`, `{"kind":"boot","protocol":1,"phase":"started","view":true,"enough":["csp","allowlist"]}`, `{"kind":"boot","protocol":1,"phase":"failed","view":true,"code":"containment-missing","text":"a","advice":"b"}`, `{"kind":"boot","protocol":1,"phase":"over","view":true}`,
		`{"kind":"boot","protocol":1,"phase":"ready","view":1,"containment":"allowlist"}`, `{"kind":"boot","protocol":2}`, `{"kind":"hello","protocol":1}`, `{"kind":"hello","protocol":"1"}`, `{"kind":"connect","protocol":1}`, `{"kind":"connect","protocol":1.5}`, `{"kind":"reload"}`,
		`{"reports":[],"dropped":0}`, `{"reports":[1,null],"dropped":1000000000}`, `{"reports":[],"dropped":1000000001}`, `{"reports":[],"dropped":0.5}`, `{"reports":{"length":1},"dropped":0}`,
		`{"kind":"ended","execution":"a","extra":1}`, `{"kind":"ended","execution":1}`, `{"kind":"outcome","result":"{}","dropped":2}`, `{"kind":"outcome","result":"` + strings.Repeat("x", 2_000) + `","dropped":0}`,
		`{"kind":"outcome","result":"","dropped":0,"failure":{"code":"threw","name":"a","message":"` + strings.Repeat("é", 9_000) + `","stack":"c","more":1}}`, `{"kind":"outcome","result":"","dropped":0,"failure":{"code":"removed","name":"a","message":"b","stack":"c"}}`,
		`{"kind":"outcome","result":1,"dropped":0}`, `{"kind":"outcome","result":"","dropped":0,"failure":null}`, `{"kind":"outcome","result":"","dropped":-1}`,
		`{"kind":"boot","protocol":1,"phase":"ready","view":true,"controlled":true}`, `{"kind":"boot","protocol":1,"phase":"ready","view":true,"controlled":1}`,
		`{"kind":"pong","more":1}`, `{"kind":"bye"}`, `{"kind":"ping"}`, `{"kind":["pong"]}`,
		`{"kind":"hello","protocol":1,"revision":7,"path":"/a?b#c"}`, `{"kind":"hello","protocol":1,"revision":-7,"path":"a"}`, `{"kind":"boot","protocol":1,"phase":"ready","view":true,"entry":"/` + strings.Repeat("é", 3_000) + `"}`,
		`{"kind":"live","on":true}`, `{"kind":"live","on":1}`, `{"kind":"path","path":"/a","more":1}`, `{"kind":"path","path":"//"}`, `{"kind":"path","path":"https://x"}`, `{"kind":"updated","more":1}`,
		`{"kind":"updating","manner":"styles","fields":[]}`, `{"kind":"updating","manner":"path","fields":[]}`, `{"kind":"updating","manner":"document","fields":[{"key":"a","values":["b","é"],"more":1}]}`, `{"kind":"updating","manner":"document","fields":[{"key":"a","values":[1]}]}`,
		`{"kind":"updating","manner":"document","fields":[{"key":"a","values":["` + strings.Repeat("x", protocol.FieldsLength) + `"]}]}`, `{"kind":"updating","manner":"document","fields":{"length":1}}`,
		`{"__proto__":{"kind":"reload"}}`, `{"kind":{"toString":1}}`, `null`, `[]`, `"boot"`, `1`, `{}`,
	} {
		f.Add([]byte(seed))
	}
	ask := startNode(f, `import { readAskActive, readConnect, readEnded, readLive, readOutcome, readFrameMessage, readPath, readReload, readReports, readSign, readUpdated, readUpdating } from '../outer-frame/messages'
serve((data) => ({ frame: readFrameMessage(data), connect: readConnect(data), reload: readReload(data), ask: readAskActive(data), reports: readReports(data), ended: readEnded(data), outcome: readOutcome(data, 1000), sign: readSign(data), live: readLive(data), path: readPath(data), updated: readUpdated(data), updating: readUpdating(data) }))
`)
	f.Fuzz(func(t *testing.T, text []byte) {
		var data any
		if json.Unmarshal(text, &data) != nil {
			return
		}
		got := map[string]any{}
		ask(t, data, &got)
		if want := expectedMessages(data); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %v, want %v", text, got, want)
		}
	})
}

func expectedMessages(data any) map[string]any {
	all := map[string]any{}
	m, ok := data.(map[string]any)
	if !ok {
		return all
	}
	number, isNumber := m["protocol"].(float64)
	mismatch := map[string]any{"kind": "mismatch", "protocol": number}
	switch kind := m["kind"]; {
	case kind == "ended":
		if id, isText := m["execution"].(string); isText {
			all["ended"] = map[string]any{"kind": "ended", "execution": id}
		}
	case kind == "outcome":
		if outcome := expectedOutcome(m); outcome != nil {
			all["outcome"] = outcome
		}
	case kind == "pong" || kind == "bye":
		all["sign"] = map[string]any{"kind": kind}
	case kind == "live":
		if on, is := m["on"].(bool); is {
			all["live"] = map[string]any{"kind": kind, "on": on}
		}
	case kind == "path":
		if path := expectedPath(m["path"]); path != nil {
			all["path"] = map[string]any{"kind": kind, "path": path}
		}
	case kind == "updated":
		all["updated"] = map[string]any{"kind": kind}
	case kind == "updating":
		if fields, isList := m["fields"].([]any); isList && (m["manner"] == "document" || m["manner"] == "styles") {
			all["updating"] = map[string]any{"kind": kind, "manner": m["manner"], "fields": expectedFields(fields)}
		}
	case kind == "reload":
		all["reload"] = map[string]any{"kind": "reload"}
	case !isNumber:
	case kind == "connect" && number == protocol.Version:
		all["connect"] = map[string]any{"kind": "connect", "protocol": number}
	case kind == "connect":
		all["connect"] = mismatch
	case (kind == "boot" || kind == "hello") && number != protocol.Version:
		all["frame"] = mismatch
	case kind == "hello":
		revision, isRevision := m["revision"].(float64)
		if !isRevision || revision < 1 || revision > 1<<53-1 || revision != float64(int64(revision)) {
			revision = 0
		}
		path := expectedPath(m["path"])
		if path == nil {
			path = "/"
		}
		all["frame"] = map[string]any{"kind": "hello", "protocol": number, "revision": revision, "path": path}
	case kind == "boot":
		if boot := expectedBoot(m); boot != nil {
			all["frame"] = boot
		}
	}
	list, isList := m["reports"].([]any)
	if dropped, is := expectedDropped(m); isList && is {
		all["reports"] = map[string]any{"dropped": dropped, "reports": list}
	}
	return all
}

// expectedPath returns nil for a value that is no path.
func expectedPath(value any) any {
	path, isText := value.(string)
	if !isText || !strings.HasPrefix(path, "/") {
		return nil
	}
	units := utf16.Encode([]rune(path))
	return string(utf16.Decode(units[:min(len(units), 2_000)]))
}

func expectedFields(given []any) []any {
	fields, length := []any{}, 0
	for _, each := range given[:min(len(given), protocol.FieldLimit)] {
		field, _ := each.(map[string]any)
		key, isText := field["key"].(string)
		values, isList := field["values"].([]any)
		if !isText || !isList || len(values) > protocol.FieldLimit {
			return []any{}
		}
		length += len(utf16.Encode([]rune(key)))
		for _, value := range values {
			text, isText := value.(string)
			if !isText {
				return []any{}
			}
			length += len(utf16.Encode([]rune(text)))
		}
		fields = append(fields, map[string]any{"key": key, "values": values})
	}
	if length > protocol.FieldsLength {
		return []any{}
	}
	return fields
}

func expectedDropped(m map[string]any) (dropped float64, is bool) {
	dropped, is = m["dropped"].(float64)
	return dropped, is && dropped >= 0 && dropped <= 1e9 && dropped == float64(int64(dropped))
}

func expectedOutcome(m map[string]any) map[string]any {
	dropped, isCount := expectedDropped(m)
	result, isText := m["result"].(string)
	if !isText || !isCount {
		return nil
	}
	outcome := map[string]any{"kind": "outcome", "result": "", "dropped": dropped}
	given, present := m["failure"]
	switch f, _ := given.(map[string]any); {
	case present:
		read := map[string]any{"code": f["code"]}
		for _, name := range []string{"name", "message", "stack"} {
			text, isText := f[name].(string)
			if !isText || !slices.Contains([]any{"threw", "unserializable", "result-too-large"}, f["code"]) {
				return nil
			}
			units := utf16.Encode([]rune(text))
			read[name] = string(utf16.Decode(units[:min(len(units), 8_300)]))
		}
		outcome["failure"] = read
	case len(utf16.Encode([]rune(result))) > 1000:
		outcome["failure"] = map[string]any{"code": "result-too-large", "name": "Error", "message": "The result is larger than 1000 bytes of JSON.", "stack": ""}
	default:
		outcome["result"] = result
	}
	return outcome
}

var (
	phases       = []any{"started", "waiting", "ready", "failed"}
	stages       = []any{"page", "register", "control", "state", "outer", "entry"}
	containments = []any{"", "csp", "allowlist", "audit"}
	bootCodes    = []protocol.BootCode{
		protocol.BootInsecureContext, protocol.BootWorkerUnsupported, protocol.BootStorageBlocked, protocol.BootNoOrigin, protocol.BootWorkerRefused,
		protocol.BootPageTimeout, protocol.BootRegisterTimeout, protocol.BootControlTimeout, protocol.BootStateTimeout, protocol.BootOuterTimeout, protocol.BootEntryTimeout,
		protocol.BootStateUnreachable, protocol.BootVersionMismatch, protocol.BootLoop,
	}
)

func expectedBoot(m map[string]any) map[string]any {
	view, isBool := m["view"].(bool)
	if !slices.Contains(phases, m["phase"]) || !isBool {
		return nil
	}
	boot := map[string]any{"kind": "boot", "protocol": m["protocol"], "phase": m["phase"], "view": view}
	if given, present := m["enough"]; m["phase"] == "started" && present {
		levels, isList := given.([]any)
		if !isList || len(levels) > 4 || slices.ContainsFunc(levels, func(level any) bool { return !slices.Contains(containments, level) }) {
			return nil
		}
		boot["enough"] = levels
	}
	if m["phase"] == "ready" && m["controlled"] == true {
		boot["controlled"] = true
	}
	if entry := expectedPath(m["entry"]); m["phase"] == "ready" && entry != nil {
		boot["entry"] = entry
	}
	if m["phase"] == "waiting" {
		if !slices.Contains(stages, m["stage"]) {
			return nil
		}
		boot["stage"] = m["stage"]
	}
	if m["phase"] != "failed" {
		return boot
	}
	code, isCode := m["code"].(string)
	if !isCode || !slices.Contains(bootCodes, protocol.BootCode(code)) {
		return nil
	}
	boot["code"] = code
	return boot
}
