package glass

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/repository"
)

var writePictures = flag.Bool("picture", false, "write the pictures of docs/ that the tests show")

// Picture saves a screenshot of the page to a file of docs/, if the flag -picture
// requests it.
func Picture(t testing.TB, page playwright.Page, name string) {
	t.Helper()
	if !*writePictures {
		return
	}
	path := filepath.Join(repository.Root(t), "docs", name)
	if _, err := page.Screenshot(playwright.PageScreenshotOptions{Path: &path}); err != nil {
		t.Fatal(err)
	}
}
