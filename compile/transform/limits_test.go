package transform

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A small source can become large code: esbuild indents each block.
func TestCodeThatIsTooLarge(t *testing.T) {
	const depth = 3000
	out := Emit(Source{Path: "/a.ts", Language: TypeScript, Text: strings.Repeat("{", depth) + strings.Repeat("}", depth)}, nil)
	if len(out.Code) > 0 || len(out.Problems) != 1 || !strings.Contains(out.Problems[0].Text, "compiles to") {
		t.Errorf("%d bytes, %v", len(out.Code), out.Problems)
	}
	styled := Style("/a.module.css", strings.Repeat("a,b{", depth)+"color:red"+strings.Repeat("}", depth))
	if len(styled.CSS)+len(styled.Code) > 0 || len(styled.Problems) != 1 || !strings.Contains(styled.Problems[0].Text, "compiles to") {
		t.Errorf("%d bytes of styles, %v", len(styled.CSS), styled.Problems)
	}
}

// Errors name the line of the source, and a source can have thousands of errors in one line.
func TestProblemsAreFewAndShort(t *testing.T) {
	// esbuild's time grows with the square of their number.
	out := Scan(Source{Path: "/a.ts", Language: TypeScript, Text: strings.Repeat("let ä;", 2000)})
	if !out.Failed() || len(out.Problems) != MaxProblems {
		t.Fatalf("%d problems", len(out.Problems))
	}
	for _, d := range out.Problems {
		if len(d.SourceLine) > maxText || len(d.Text) > maxText || !utf8.ValidString(d.SourceLine) {
			t.Errorf("%d bytes of text and %d of the line", len(d.Text), len(d.SourceLine))
		}
	}
}

func TestRefused(t *testing.T) {
	for name, row := range map[string]struct {
		source Source
		says   string
	}{
		"as large as allowed": {Source{Text: strings.Repeat(" ", MaxSource), Config: strings.Repeat(" ", MaxConfig)}, ""},
		"source":              {Source{Text: strings.Repeat(" ", MaxSource+1)}, "at most 1048576"},
		"options":             {Source{Config: strings.Repeat(" ", MaxConfig+1)}, "at most 65536"},
	} {
		problems := Refused(row.source)
		if row.says == "" && problems != nil || row.says != "" && (len(problems) != 1 || !strings.Contains(problems[0].Text, row.says)) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
