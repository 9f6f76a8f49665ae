package transform

import (
	"strings"
	"testing"
)

// What a module accepts is read from how the calls are written.
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

// The prelude comes first, and the source map leads to the source all the same.
func TestPrelude(t *testing.T) {
	s := Source{Path: "/a.ts", Language: TypeScript, Text: "import './b'\nthrow new Error('here')\n", Prelude: "import.meta.hot = 1;"}
	out := Emit(s, map[string]Target{"./b": {URL: "/b.ts"}})
	lines := strings.Split(string(out.Code), "\n")
	if lines[0] != s.Prelude {
		t.Errorf("the code begins with %s", lines[0])
	}
	if !strings.Contains(string(out.Code), `import "/b.ts"`) {
		t.Errorf("the code is %s", out.Code)
	}
}
