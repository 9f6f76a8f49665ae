package sw_test

import "testing"

// The host page spells out characters that hide, reorder, or cover other text. It leaves
// ordinary text unchanged.
func TestDeceivingCharactersAreVisible(t *testing.T) {
	rows := []struct{ text, want string }{
		{"a\u202eb", "a⟨U+202E⟩b"},
		{"a\u3164b\u115fc\uffa0d", "a⟨U+3164⟩b⟨U+115F⟩c⟨U+FFA0⟩d"},
		{"a\u2800b", "a⟨U+2800⟩b"},
		{"a\U000e0041b", "a⟨U+E0041⟩b"},
		{"a\u034fb\ufe01c\U000e0100d", "a⟨U+034F⟩b⟨U+FE01⟩c⟨U+E0100⟩d"},
		{"a\u0301\u0302\u0303\u0304\u0305\u0306b", "a\u0301\u0302\u0303\u0304⟨U+0305⟩⟨U+0306⟩b"},
		{"a\x00\x1b[31m\u0085", "a⟨U+0000⟩⟨U+001B⟩[31m⟨U+0085⟩"},
		// These are ordinary text.
		{"line\n\ttab", "line\n\ttab"},
		{"naïve e\u0302\u0301 日本語 한국어 हिन्दी ❤\ufe0f 1\ufe0f\u20e3 🔔", "naïve e\u0302\u0301 日本語 한국어 हिन्दी ❤\ufe0f 1\ufe0f\u20e3 🔔"},
	}
	texts, got := []string{}, []string{}
	for _, row := range rows {
		texts = append(texts, row.text)
	}
	runNode(t, "import { visible } from '../host-page/text'\nprint(input.map(visible))", texts, &got)
	for i, row := range rows {
		if i >= len(got) || got[i] != row.want {
			t.Errorf("%+q is shown as %+q, want %+q", row.text, got[i], row.want)
		}
	}
}
