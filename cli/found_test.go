package cli

import (
	"testing"

	"github.com/bellglass/bellglass/vfs"
)

func TestFoundSaysWhatAFolderIs(t *testing.T) {
	t.Parallel()
	const react = `{"dependencies":{"react":"19","vue":"3"}}`
	page := func(scripts string) string { return "<!doctype html><title>A</title>" + scripts }
	store := vfs.NewStore(1 << 30)
	for _, row := range []struct {
		files map[string]string
		want  string
	}{
		{nil, "no files yet; those that appear are shown"},
		{map[string]string{"/a.txt": "", "/b.txt": ""}, "2 files"},
		{map[string]string{"/index.html": page("")}, "index.html"},
		{map[string]string{"/index.html": page(""), "/a.css": ""}, "index.html and 1 other file"},
		{map[string]string{"/index.html": page(`<script src="/a.js"></script>`), "/a.js": ""}, "index.html and 1 other file"},
		{map[string]string{"/index.html": page(`<script type="module" src="https://cdn.example/a.js"></script>`), "/a.js": ""}, "index.html and 1 other file"},
		{map[string]string{"/index.html": page(`<script type="module" src="gone.js"></script>`)}, "index.html"},
		{map[string]string{"/index.html": page(`<script type="module" src="./a.js"></script>`), "/a.js": ""}, "JavaScript from a.js"},
		{map[string]string{"/index.html": page(`<script type=module src=/src/main.tsx?v=1></script>`), "/src/main.tsx": "", "/package.json": react}, "React and TypeScript from src/main.tsx"},
		{map[string]string{"/index.html": page(`<script type="module" src="/src/main.jsx"></script>`), "/src/main.jsx": "", "/package.json": `{"dependencies":{"preact":"10"}}`}, "Preact and JavaScript from src/main.jsx"},
		{map[string]string{"/index.html": page(`<script type="module" src="/main.ts"></script>`), "/main.ts": "", "/package.json": "{"}, "TypeScript from main.ts"},
		{map[string]string{"/index.html": page(`<script src="/_next/static/chunks/a.js" async></script>`), "/_next/static/chunks/a.js": ""}, "an export of Next.js, 2 files"},
	} {
		contents := map[string][]byte{}
		for name, text := range row.files {
			contents[name] = []byte(text)
		}
		files, err := store.Snapshot(contents, vfs.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got := found(files, entryOf(files, "/", "")); got != row.want {
			t.Errorf("%v: %q, want %q", row.files, got, row.want)
		}
	}
}
