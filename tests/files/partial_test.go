package files

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Responses that are parts of a file, or say that the file has not changed.

func testRanges(t *testing.T, shared *glass.View) {
	etag := get(t, shared, "/ten.txt").Headers["etag"]
	t.Run("range", func(t *testing.T) {
		for _, row := range []struct {
			name, path, spec, ifRange string
			status                    int
			contentRange, text        string
		}{
			{"first byte", "/ten.txt", "bytes=0-0", "", 206, "bytes 0-0/10", "0"},
			{"middle", "/ten.txt", "bytes=2-4", "", 206, "bytes 2-4/10", "234"},
			{"from", "/ten.txt", "bytes=5-", "", 206, "bytes 5-9/10", "56789"},
			{"from the start", "/ten.txt", "bytes=0-", "", 206, "bytes 0-9/10", tenBytes},
			{"last three", "/ten.txt", "bytes=-3", "", 206, "bytes 7-9/10", "789"},
			{"last more than all", "/ten.txt", "bytes=-99", "", 206, "bytes 0-9/10", tenBytes},
			{"end is cut", "/ten.txt", "bytes=8-99", "", 206, "bytes 8-9/10", "89"},
			{"last byte", "/ten.txt", "bytes=9-9", "", 206, "bytes 9-9/10", "9"},
			{"unit in upper case", "/ten.txt", "BYTES=1-1", "", 206, "bytes 1-1/10", "1"},
			{"starts at the end", "/ten.txt", "bytes=10-", "", 416, "bytes */10", ""},
			{"starts beyond", "/ten.txt", "bytes=50-60", "", 416, "bytes */10", ""},
			{"last none", "/ten.txt", "bytes=-0", "", 416, "bytes */10", ""},
			{"of nothing", "/empty.txt", "bytes=0-", "", 416, "bytes */0", ""},
			{"last of nothing", "/empty.txt", "bytes=-1", "", 416, "bytes */0", ""},
			{"several", "/ten.txt", "bytes=0-1,4-5", "", 200, "", tenBytes},
			{"backwards", "/ten.txt", "bytes=5-2", "", 200, "", tenBytes},
			{"no number", "/ten.txt", "bytes=a-b", "", 200, "", tenBytes},
			{"negative number", "/ten.txt", "bytes=--3", "", 200, "", tenBytes},
			{"no bounds", "/ten.txt", "bytes=-", "", 200, "", tenBytes},
			{"nothing", "/ten.txt", "bytes=", "", 200, "", tenBytes},
			{"another unit", "/ten.txt", "lines=0-1", "", 200, "", tenBytes},
			{"garbage", "/ten.txt", "garbage", "", 200, "", tenBytes},
			{"number too large", "/ten.txt", "bytes=0-99999999999999999999", "", 200, "", tenBytes},
			{"If-Range matches", "/ten.txt", "bytes=0-1", etag, 206, "bytes 0-1/10", "01"},
			{"If-Range is another", "/ten.txt", "bytes=0-1", `"another"`, 200, "", tenBytes},
			{"If-Range is weak", "/ten.txt", "bytes=0-1", "W/" + etag, 200, "", tenBytes},
			{"If-Range is a date", "/ten.txt", "bytes=0-1", "Wed, 21 Oct 2015 07:28:00 GMT", 200, "", tenBytes},
			{"If-Range does not match, range outside", "/ten.txt", "bytes=50-", `"another"`, 200, "", tenBytes},
		} {
			t.Run(row.name, func(t *testing.T) {
				headers := map[string]string{"Range": row.spec}
				if row.ifRange != "" {
					headers["If-Range"] = row.ifRange
				}
				got := ask(t, shared, "GET", row.path, headers)
				if got.Status != row.status || got.Headers["content-range"] != row.contentRange {
					t.Fatalf("%q: %d, Content-Range %q; want %d, %q", row.spec, got.Status, got.Headers["content-range"], row.status, row.contentRange)
				}
				if row.status != 416 && (got.Text != row.text || got.Headers["content-length"] != fmt.Sprint(len(row.text))) {
					t.Errorf("%q: %q, Content-Length %q; want %q", row.spec, got.Text, got.Headers["content-length"], row.text)
				}
			})
		}
	})
}

func testETags(t *testing.T, g *glass.Server, shared *glass.View, sandbox *server.Sandbox) {
	etag := get(t, shared, "/ten.txt").Headers["etag"]
	other := get(t, shared, "/b").Headers["etag"]
	t.Run("If-None-Match", func(t *testing.T) {
		if etag == "" || etag == other {
			t.Fatalf("two files have the entity tags %q and %q", etag, other)
		}
		for _, row := range []struct {
			name, value string
			status      int
		}{
			{"same", etag, 304},
			{"weak", "W/" + etag, 304},
			{"in a list", `"x", W/"y",` + etag + ` , "z"`, 304},
			{"any", "*", 304},
			{"another", other, 200},
			{"a list of others", `"x", W/"y"`, 200},
			{"without quotes", strings.Trim(etag, `"`), 200},
			{"empty", "", 200},
		} {
			t.Run(row.name, func(t *testing.T) {
				for _, method := range []string{"GET", "HEAD"} {
					got := ask(t, shared, method, "/ten.txt", map[string]string{"If-None-Match": row.value})
					if got.Status != row.status || got.Headers["etag"] != etag || row.status == 304 && got.Size > 0 {
						t.Errorf("%s: %d with %d bytes, ETag %q; want %d, %q", method, got.Status, got.Size, got.Headers["etag"], row.status, etag)
					}
				}
			})
		}
	})
	t.Run("changed file", func(t *testing.T) {
		v := shared.In(t)
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/index.html": filesPage, "/ten.txt": "9876543210", "/b": "b"})); err != nil {
			t.Fatal(err)
		}
		v.Reload()
		changed := ask(t, v, "GET", "/ten.txt", map[string]string{"If-None-Match": etag})
		if changed.Status != 200 || changed.Headers["etag"] == etag || changed.Text != "9876543210" {
			t.Errorf("after the change: %d %q, ETag %q; before it was %q", changed.Status, changed.Text, changed.Headers["etag"], etag)
		}
		if same := ask(t, v, "GET", "/b", map[string]string{"If-None-Match": other}); same.Status != 304 {
			t.Errorf("the file that did not change: %d", same.Status)
		}
	})
}
