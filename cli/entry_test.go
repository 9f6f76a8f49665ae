package cli

import (
	"testing"

	"github.com/bellglass/bellglass/vfs"
)

func TestNoEntryNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	store := vfs.NewStore(1 << 30)
	for _, row := range []struct {
		entry, fallback string
		files           []string
		want            string
	}{
		{"/", "", []string{"/index.html"}, ""},
		{"/docs", "", []string{"/docs/index.html"}, ""},
		{"/about?x=1#y", "", []string{"/about.html"}, ""},
		{"/any/thing", "/app.html", []string{"/app.html"}, ""},
		{"/", "", []string{"/demo.html"}, "there is no file /index.html; open another page with --entry: /demo.html"},
		{"/mian.html", "", []string{"/main.html", "/main.js"}, "there is no file /mian.html; did you mean /main.html?"},
		{"/dcos/", "", []string{"/other.html"}, "there is no file /dcos/index.html; open another page with --entry: /other.html"},
		{"/", "", []string{"/a.html", "/b.html", "/c.html", "/d.html", "/e.html", "/f.html", "/g.html"}, "there is no file /index.html; open another page with --entry: /a.html, /b.html, /c.html, /d.html, /e.html, or one of 2 more"},
		{"/", "", []string{"/src/main.tsx"}, `there is no file /index.html, and no HTML file at all; write one with <script type="module" src="/src/main.tsx"></script>`},
		{"/", "", []string{"/src/lib.rs"}, "there is no file /index.html, and no HTML file at all; if the folder is a project that has to be built, build it and serve the output folder"},
	} {
		contents := map[string][]byte{}
		for _, name := range row.files {
			contents[name] = []byte("x")
		}
		files, err := store.Snapshot(contents, vfs.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		entry := entryOf(files, row.entry, row.fallback)
		if (entry != "") != (row.want == "") {
			t.Errorf("%s with %v opens %q", row.entry, row.files, entry)
		}
		if got := noEntry(files, row.entry); row.want != "" && got != row.want {
			t.Errorf("%s with %v: %q, want %q", row.entry, row.files, got, row.want)
		}
	}
}
