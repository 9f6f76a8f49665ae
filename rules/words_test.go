package rules_test

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

func TestWordsOfACommandLine(t *testing.T) {
	for _, m := range rules.Methods {
		if got, err := rules.ParseMethod(m); got != m || err != nil {
			t.Errorf("%s: %q, %v", m, got, err)
		}
	}
	for _, kind := range rules.Types {
		if got, err := rules.ParseType(string(kind)); got != kind || err != nil {
			t.Errorf("%s: %q, %v", kind, got, err)
		}
	}
	for text, says := range map[string]string{"get": "did you mean GET?", "GTE": "did you mean GET?", "": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", "PROPFIND": `unknown method "PROPFIND"; the methods are`} {
		if _, err := rules.ParseMethod(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	for text, says := range map[string]string{"Image": "did you mean image?", "scirpt": "did you mean script?", "xmlhttprequest": "fetch, script, style, image, font, media, frame, worker, websocket"} {
		if _, err := rules.ParseType(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	for url, want := range map[string]rules.Type{"wss://a/": rules.TypeWebSocket, "WS://a/": rules.TypeWebSocket, "https://a/": rules.TypeFetch, "": rules.TypeFetch} {
		if got := rules.DefaultType(url); got != want {
			t.Errorf("%q: %s", url, got)
		}
	}
}
