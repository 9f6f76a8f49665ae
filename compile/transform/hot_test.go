package transform

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/go-sourcemap/sourcemap"
)

// Scan reads from the text of the calls what a module accepts.
func TestWhatAModuleAccepts(t *testing.T) {
	for text, want := range map[string]string{
		`export const a = 1`:                      "",
		`// import.meta.hot.accept()`:             "",
		`const text = "import.meta.hot.accept()"`: "",
		`if (import.meta.hot) console.log(1)`:     "uses",
		`import.meta.hot.accept()`:                "uses self",
		`import.meta.hot?.accept()`:               "uses self",
		`if (import.meta.hot) { import.meta.hot.accept((next) => console.log(next!.a)) }`: "uses self",
		`import.meta.hot!.accept('./dep', (next) => {})`:                                  "uses ./dep",
		"import.meta.hot?.accept(`./dep`, () => {})":                                      "uses ./dep",
		`import.meta.hot.accept(['./a', "./b.ts"], ([a, b]) => {})`:                       "uses ./a ./b.ts",
		`import.meta.hot.accept([], () => {})`:                                            "uses",
		`import.meta.hot.accept('./a'); import.meta.hot.accept()`:                         "uses self ./a",
		`const hot = import.meta.hot; hot?.accept()`:                                      "uses",
		`import.meta.hot.dispose(() => {}); import.meta.hot.decline()`:                    "uses",
	} {
		out := Scan(Source{Path: "/a.ts", Language: TypeScript, Text: text})
		var got []string
		if out.UsesHot {
			got = append(got, "uses")
		}
		if out.AcceptsSelf {
			got = append(got, "self")
		}
		got = append(got, out.Accepts...)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s (%v)", text, got, want, out.Problems)
		}
	}
}

// The prelude is the first line of the code, before the imports. The source map leads to the source
// all the same.
func TestPrelude(t *testing.T) {
	s := Source{Path: "/a.ts", Language: TypeScript, Text: "import './b'\n  throw new Error('here')\n", Prelude: "import.meta.hot = 1;"}
	out := Emit(s, map[string]Target{"./b": {URL: "/b.ts"}})
	code, inline, found := strings.Cut(string(out.Code), "//# sourceMappingURL=data:application/json;base64,")
	if !found || !strings.HasPrefix(code, s.Prelude+"\n") || !strings.Contains(code, `import "/b.ts"`) {
		t.Fatalf("the code is %s", out.Code)
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(inline))
	if err != nil {
		t.Fatal(err)
	}
	m, err := sourcemap.Parse("", text)
	if err != nil {
		t.Fatal(err)
	}
	for number, line := range strings.Split(code, "\n") {
		column := strings.Index(line, "throw")
		if column < 0 {
			continue
		}
		file, _, from, at, ok := m.Source(number+1, column)
		if !ok || file != "a.ts" || from != 2 || at != 2 {
			t.Errorf("line %d of the code comes from %s:%d:%d, want a.ts:2:2", number+1, file, from, at)
		}
		return
	}
	t.Errorf("the code throws nothing: %s", code)
}
