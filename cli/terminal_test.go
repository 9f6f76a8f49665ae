package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext – ünï":             "plain\ttext – ünï",
		"a\x1b[2J\r\x07\u009b1m\u202eb": `a\u001b[2J\u000d\u0007\u009b1m\u202eb`,
		"\u2066\u200f\u2028\U000e0041":  `\u2066\u200f\u2028\udb40\udc41`,
		"one\nbellglass: two\n\n":       "one\n  | bellglass: two",
	} {
		if got := message(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
	if got := oneLine("a\nb\x1b"); got != `a\nb\u001b` {
		t.Errorf("in one line it is %q", got)
	}
}

// Escaped JSON has the same meaning.
func TestPrintJSON(t *testing.T) {
	const text = "a\x1b\u009b\u202e\U000e0041\u2028 <b>&é\n"
	var b strings.Builder
	if err := printJSON(&b, map[string]any{"text": text, "raw": json.RawMessage("\"\u009b\u202e\"")}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(b.String(), acts) {
		t.Errorf("it is printed as %q", b.String())
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got["text"] != text || got["raw"] != "\u009b\u202e" {
		t.Errorf("it is read as %q, %v", got, err)
	}
}
