package selftest

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sample() *Report {
	return &Report{
		Bellglass: "v1.2.3", Browser: Browser{"Firefox", "153.0", "Linux"}, Started: time.Unix(1_700_000_000, 0).UTC(), Seconds: 61,
		Containment: "csp", Ended: EndedTimeLimit, Detail: "so it was",
		Rows: []Row{
			{Name: "anchor/click", Outcome: NotRun, Why: WhyGesture},
			{Name: "css/background", Outcome: Contained, Control: "H"},
			{Name: "fetch/cors", Outcome: Escaped, Seen: "HS", Control: "HW", Detail: "GET /x"},
			{Name: "worker/blob", Outcome: Unproven},
			{Name: "worker/data", Outcome: NotRun, Why: WhyFailed, Control: "H", Detail: "it took too long"},
		},
		Strays: []Stray{{Batch: "css/background", Rows: 10, Seen: "CU"}},
	}
}

func TestLinkRoundTrip(t *testing.T) {
	for name, report := range map[string]*Report{"sample": sample(), "empty": {Started: time.Unix(0, 0).UTC(), Rows: []Row{}, Strays: []Stray{}}} {
		link, err := Encode(report)
		if err != nil {
			t.Fatal(err)
		}
		for _, prefix := range []string{"", "#"} {
			got, err := Decode(prefix + link)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(report, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if strings.Trim(link, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.") != "" {
			t.Errorf("%s: the link has characters that a fragment must spell otherwise: %s", name, link)
		}
	}
}

// The result of a whole run fits a link by far.
func TestLinkOfAWholeRun(t *testing.T) {
	p, err := makePlan(nil)
	if err != nil {
		t.Fatal(err)
	}
	run := &Run{plan: p, done: make(chan struct{}), closed: func() {}, plain: &plain{server: newServer(nil)}}
	run.finish(Report{Started: time.Unix(1, 0)})
	report := run.Report()
	if len(report.Rows) != len(p.rows) {
		t.Fatalf("%d rows of %d are reported", len(report.Rows), len(p.rows))
	}
	for i := range report.Rows {
		report.Rows[i] = Row{Name: report.Rows[i].Name, Outcome: Escaped, Seen: "HWSCU", Control: "HWSCU", Detail: "GET /x"}
	}
	link, err := Encode(report)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(link); err != nil {
		t.Error(err)
	}
	if len(link) > maxLink/4 {
		t.Errorf("the link has %d bytes", len(link))
	}
}

// plainJSON is a whole result, of nothing.
const plainJSON = `{"b":"","u":["","",""],"t":0,"s":0,"c":"","e":"","d":"","r":[],"x":[]}`

// pack writes a link around any JSON.
func pack(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return linkPrefix + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// change is the sample's link after a change of its JSON.
func change(t testing.TB, change func(map[string]any)) string {
	t.Helper()
	c := map[string]any{
		"b": "v1", "u": []string{"a", "b", "c"}, "t": 1, "s": 1, "c": "", "e": "", "d": "", "r": [][]string{}, "x": []any{},
	}
	change(c)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, string(text))
}

func TestDecodeRefuses(t *testing.T) {
	row := func(fields ...string) string {
		return change(t, func(c map[string]any) { c["r"] = [][]string{fields} })
	}
	set := func(key string, value any) string {
		return change(t, func(c map[string]any) { c[key] = value })
	}
	many := make([][]string, maxRows+1)
	for i := range many {
		many[i] = []string{"a/b", "u"}
	}
	if _, err := Decode(pack(t, plainJSON+" ")); err != nil {
		t.Fatal(err)
	}
	good := row("a/b", "c", "", "H")
	if _, err := Decode(good); err != nil {
		t.Fatalf("what every row below differs from is refused: %v", err)
	}
	for name, link := range map[string]string{
		"nothing": "", "another version": "r=2." + good[len(linkPrefix):], "no prefix": good[len(linkPrefix):],
		"a letter that is no base64": good[:20] + "!" + good[21:], "cut": good[:len(good)/2], "padding": good + "==",
		"too long":     linkPrefix + strings.Repeat("A", maxLink),
		"a bomb":       pack(t, plainJSON+strings.Repeat(" ", 10*maxJSON)),
		"no JSON":      pack(t, "nonsense"),
		"two values":   pack(t, "{} {}"),
		"another key":  set("z", 1),
		"a long text":  set("b", strings.Repeat("x", maxShort+1)),
		"a line break": set("b", "a\nb"), "a turned text": set("b", "a\u202eb"), "a zero": set("u", []string{"a", "b", "c\x00"}),
		"two texts of the browser": set("u", []string{"a", "b"}), "no time": set("t", -1), "a far time": set("t", int64(1)<<60), "no duration": set("s", -1), "a long run": set("s", 1<<40),
		"a containment": set("c", "<b>"), "an end": set("e", "whatever"), "a long detail": set("d", strings.Repeat("é", maxDetail)),
		"too many rows": set("r", many), "a row of one": row("a/b"), "a row of seven": row("a/b", "n", "", "", "gesture", "x", "y"), "an empty end": row("a/b", "u", ""),
		"an outcome": row("a/b", "z"), "a name with markup": row("<img src=x>/b", "u"), "a name without a family": row("b", "u"), "a long name": row("a/"+strings.Repeat("b", maxName), "u"),
		"escaped without a trace": row("a/b", "e", "", "H"), "contained, and seen": row("a/b", "c", "H", "H"), "contained without a control": row("a/b", "c"),
		"unproven with a control": row("a/b", "u", "", "H"), "not run without a reason": row("a/b", "n"), "a reason that is none": row("a/b", "n", "", "", "laziness"),
		"a letter that is unknown": row("a/b", "e", "Z"), "a letter twice": row("a/b", "e", "HH"), "letters out of order": row("a/b", "e", "WH"), "a detail of two lines": row("a/b", "e", "H", "", "", "a\nb"),
		"rows out of order": change(t, func(c map[string]any) { c["r"] = [][]string{{"a/c", "u"}, {"a/b", "u"}} }),
		"a row twice":       change(t, func(c map[string]any) { c["r"] = [][]string{{"a/b", "u"}, {"a/b", "u"}} }),
		"a stray of one":    set("x", []any{map[string]any{"b": "a/b", "n": 1, "s": "C"}}), "a stray of nothing": set("x", []any{map[string]any{"b": "a/b", "n": 2, "s": ""}}),
	} {
		if report, err := Decode(link); err == nil {
			t.Errorf("%s is read: %+v", name, report)
		} else if text := err.Error(); len(text) > 400 || strings.ContainsAny(text, "\n\x00\u202e") {
			t.Errorf("%s: the error is not fit to be shown: %q", name, text)
		}
	}
}

// Whatever is decoded is fit to be shown, and is what its own link says.
func FuzzDecode(f *testing.F) {
	link, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{link, "#" + link, "", linkPrefix, linkPrefix + "AA", pack(f, "null"), pack(f, "{}"), pack(f, `{"r":null}`)} {
		f.Add(seed)
	}
	f.Fuzz(checkDecode)
}

// FuzzDecodeJSON does without the packing, which a fuzzer does not get through.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{"b":"v","u":["a","b","c"],"t":1,"s":1,"c":"allowlist","e":"","d":"","r":[["a/b","c","","H"],["a/c","e","H","","","x"],["b/a","n","","","gesture"]],"x":[{"b":"a/b","n":2,"s":"C"}]}`,
		"null", "[]", `{"u":[]}`, `{"u":["\ud800","",""]}`, `{"B":1}`, `{"r":[null]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < maxJSON {
			checkDecode(t, pack(t, text))
		}
	})
}

func checkDecode(t *testing.T, link string) {
	report, err := Decode(link)
	if err != nil {
		if text := err.Error(); text != clip(text, len(text)) {
			t.Errorf("the error is not fit to be shown: %q", text)
		}
		return
	}
	for _, text := range []string{report.Bellglass, report.Browser.Name, report.Browser.Version, report.Browser.Platform, report.Detail} {
		if text != clip(text, maxDetail) {
			t.Errorf("%q is not fit to be shown", text)
		}
	}
	again, err := Encode(report)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(again)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report, back); diff != "" {
		t.Error(diff)
	}
	report.View() // its words do not panic
}
