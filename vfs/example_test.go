package vfs_test

import (
	"fmt"

	"github.com/bellglass/bellglass/vfs"
)

func Example() {
	store := vfs.NewStore(1 << 30)
	first, err := store.Snapshot(map[string][]byte{
		"/index.html": []byte("<script src=app.ts></script>"),
		"/old.css":    []byte("p {}"),
	}, vfs.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := first.With(vfs.Put("/app.ts", []byte("let x = 1")), vfs.Delete("/old.css"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range second.Entries() {
		fmt.Println(e.Path, e.Size, e.Type)
	}
	diff := vfs.Compare(first, second)
	fmt.Println("added", diff.Added, "removed", diff.Removed)

	_, err = second.With(vfs.Put("/../etc/passwd", nil))
	fmt.Println(err)
	// Output:
	// /app.ts 9 text/typescript; charset=utf-8
	// /index.html 28 text/html; charset=utf-8
	// added [/app.ts] removed [/old.css]
	// path "/../etc/passwd" is refused: it has a ".." segment; write the path it leads to
}
