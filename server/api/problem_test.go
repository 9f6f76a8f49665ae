package api

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document lists exactly the codes that exist, as they are.
func TestCodesAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	document := string(text)
	var want []string
	for _, c := range Codes {
		statuses := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Status), " ", ", "), "[]")
		want = append(want, fmt.Sprintf("| <a id=%q></a>`%s` | %s | %s |", c.Name, c.Name, statuses, c.Title))
	}
	got := regexp.MustCompile(`(?m)^\| <a id=.*$`).FindAllString(document, -1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/api.md (-codes +document):\n%s", diff)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[NewSandbox]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !strings.Contains(document, "\n| `"+name+"` |") {
			t.Errorf("docs/api.md has no row for the key %s of a new sandbox", name)
		}
	}
}
