package sw_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bellglass/bellglass/static"
	"github.com/bellglass/bellglass/vfs"
)

// The worker looks a file up under the path that Go decodes, or rejects the URL. No spelling
// of a URL leads to a path that climbs or is reserved.
func FuzzDecodePath(f *testing.F) {
	for _, seed := range []string{
		"/", "/index.html", "/a b", "/a%20b", "/%2e%2e/x", "/a/../b", "/a/%2E./b", "/..%2fx", "0/.0/.", "/%2f", "/%5c", `/a\b`, "/%00", "/%0a", "/%7f", "/%c0%af", "/%e0%80%af", "/%ff",
		"/%ed%a0%80", "/%F0%9F%94%94", "/🔔", "/%", "/%z", "/%2", "/%252e%252e/", "//", "//a", "/.bellglass/sw.js", "/%2ebellglass/sw.js", "/.bellglass%2fsw.js", "/x/../.bellglass/state",
		"/./.bellglass/", "/;/a", "/a;b=c", "?x", "#x", "/?/../x", "/a\tb", "/a\nb", "/\u202e", "/\ufeff", "http://a.test/x", "//b.test/x", `/\b.test/x`, "/a%3fb", "/a%23b", "/%C2%85", strings.Repeat("/..", 50),
	} {
		f.Add(seed)
	}
	ask := startNode(f, `import { decodePath } from '../sw/src/path'
serve((raw) => {
  let url
  try { url = new URL(raw, 'http://a.test/') } catch { return { foreign: true } }
  return url.origin !== 'http://a.test' ? { foreign: true } : { pathname: url.pathname, path: decodePath(url.pathname) ?? null }
})
`)
	f.Fuzz(func(t *testing.T, raw string) {
		if !utf8.ValidString(raw) {
			return // a page cannot write such a URL
		}
		var got struct {
			Foreign  bool
			Pathname string
			Path     *string
		}
		ask(t, raw, &got)
		if got.Foreign {
			return
		}
		want, ok := static.DecodePath(got.Pathname)
		switch {
		case got.Path == nil && ok:
			t.Errorf("%q: the path %q is refused, and Go decodes it to %q", raw, got.Pathname, want)
		case got.Path != nil && (!ok || *got.Path != want):
			t.Errorf("%q: the path %q is looked up as %q, in Go %q (%v)", raw, got.Pathname, *got.Path, want, ok)
		case got.Path != nil:
			segments := strings.Split(*got.Path, "/")
			if segments[0] != "" || slices.Contains(segments, "..") || slices.Contains(segments, ".") {
				t.Errorf("%q is looked up as %q", raw, *got.Path)
			}
			if vfs.CheckPath(*got.Path, vfs.DefaultLimits()) == nil && (strings.HasPrefix(*got.Path, vfs.Reserved+"/") || *got.Path == vfs.Reserved) {
				t.Errorf("%q is looked up as the reserved %q", raw, *got.Path)
			}
		}
	})
}
