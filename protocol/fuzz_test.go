package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
)

// A message that a page can send is written as the same message again after it is read. It is
// read as only one member of the union, the one that its kind names.
func FuzzPageReport(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"console","level":"log","text":"a","url":"b","line":1,"col":2}`, `{"kind":"error","text":"a","stack":"b"}`, `{"kind":"violation","target":"https://a.example/","directive":"img-src"}`,
		`{"kind":"boot","protocol":1,"phase":"ready","view":true,"containment":"allowlist"}`, `{"kind":"hello","protocol":1}`, `{"kind":"connect","protocol":1}`, `{"kind":"reload"}`, `{"kind":"measure","on":true}`, `{"kind":"size","height":100}`,
		`{"kind":"outcome","result":"{}","dropped":1}`, `{"kind":"outcome","failure":{"code":"threw","name":"a","message":"b","stack":"c"}}`, `{"kind":"run","execution":"a","revision":1,"timeout":2}`, `{"kind":"end","execution":"a"}`, `{"kind":"ended","execution":"a"}`,
		`{"kind":null}`, `{"kind":1}`, `{"kind":["console"]}`, `{"KIND":"console"}`, `{"kind":"console","kind":"error"}`, `{"kind":"console","line":1e99}`, `{"kind":"console","text":"\ud800"}`, `null`, `[]`, `{`, ``, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var of struct{ Kind *string }
		if json.Unmarshal(data, &of) != nil || of.Kind == nil {
			return // the reader looks for the kind first
		}
		var read []string
		roundTrip[protocol.ConsoleReport](t, data, &read)
		roundTrip[protocol.ErrorReport](t, data, &read)
		roundTrip[protocol.ViolationReport](t, data, &read)
		roundTrip[protocol.Boot](t, data, &read)
		roundTrip[protocol.Listening](t, data, &read)
		roundTrip[protocol.Open](t, data, &read)
		roundTrip[protocol.Hello](t, data, &read)
		roundTrip[protocol.Connect](t, data, &read)
		roundTrip[protocol.Reload](t, data, &read)
		roundTrip[protocol.AskActive](t, data, &read)
		roundTrip[protocol.Active](t, data, &read)
		roundTrip[protocol.Measure](t, data, &read)
		roundTrip[protocol.Size](t, data, &read)
		roundTrip[protocol.Run](t, data, &read)
		roundTrip[protocol.End](t, data, &read)
		roundTrip[protocol.Ended](t, data, &read)
		roundTrip[protocol.Outcome](t, data, &read)
		if len(read) > 1 || len(read) == 1 && read[0] != *of.Kind {
			t.Errorf("%s is read as %q", data, read)
		}
	})
}

func roundTrip[T any](t *testing.T, data []byte, read *[]string) {
	t.Helper()
	var once, twice T
	if json.Unmarshal(data, &once) != nil {
		return
	}
	text, err := json.Marshal(once)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if err := json.Unmarshal(text, &twice); err != nil {
		t.Fatalf("%s is written as %s and then not read: %v", data, text, err)
	}
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Errorf("%s is written as %s (-once +twice):\n%s", data, text, diff)
	}
	var of struct{ Kind string }
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	*read = append(*read, of.Kind)
}
