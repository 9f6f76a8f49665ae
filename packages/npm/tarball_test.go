package npm

import (
	"archive/tar"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/packages/cache"
	"github.com/bellglass/bellglass/packages/registrytest"
)

func TestUnpack(t *testing.T) {
	type e = registrytest.Entry
	limits := Limits{Unpacked: 1000, Files: 3}
	files, err := Unpack(registrytest.Tarball(t, e{Name: "package/", Type: tar.TypeDir}, e{Name: "package/package.json", Content: "{}"}, e{Name: "./other/dist/./a.js", Content: "a"}), limits)
	if got := slices.Sorted(maps.Keys(files)); err != nil || !slices.Equal(got, []string{"dist/a.js", "package.json"}) {
		t.Errorf("%q, %v", got, err)
	}
	if content, err := files.ReadFile("dist/a.js"); string(content) != "a" || err != nil || !files.Exists("package.json") || files.Exists("dist") {
		t.Errorf("%q, %v", content, err)
	}
	for name, test := range map[string]struct {
		entries []e
		says    string
	}{
		"a path above":            {[]e{{Name: "package/../../etc/passwd"}}, "leads out"},
		"a path above, hidden":    {[]e{{Name: "package/a/../../../b"}}, "leads out"},
		"a path above, Windows":   {[]e{{Name: `package\..\..\b`}}, "backslash"},
		"an absolute path":        {[]e{{Name: "/etc/passwd"}}, "absolute"},
		"a file without a folder": {[]e{{Name: "passwd"}}, "not in a folder"},
		"a control character":     {[]e{{Name: "package/a\nb"}}, "control"},
		"a symbolic link":         {[]e{{Name: "package/a", Link: "/etc/passwd", Type: tar.TypeSymlink}}, "link"},
		"a hard link":             {[]e{{Name: "package/a", Link: "package/b", Type: tar.TypeLink}}, "link"},
		"a device":                {[]e{{Name: "package/a", Type: tar.TypeChar}}, "type"},
		"a large file":            {[]e{{Name: "package/a", Content: strings.Repeat("x", 1001)}}, "more than 1000 bytes"},
		"large files":             {[]e{{Name: "package/a", Content: strings.Repeat("x", 600)}, {Name: "package/b", Content: strings.Repeat("x", 600)}}, "more than 1000 bytes"},
		"many files":              {[]e{{Name: "package/a"}, {Name: "package/b"}, {Name: "package/c"}, {Name: "package/d"}}, "more than 3 files"},
	} {
		if files, err := Unpack(registrytest.Tarball(t, test.entries...), limits); err == nil || !strings.Contains(err.Error(), test.says) || files != nil {
			t.Errorf("%s: %v, %v", name, files, err)
		}
	}
	whole := registrytest.Tarball(t, e{Name: "package/a", Content: "a"})
	for name, bad := range map[string][]byte{"nothing": nil, "no gzip": []byte("hello"), "a part": whole[:len(whole)-20]} {
		if _, err := Unpack(bad, limits); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestVerify(t *testing.T) {
	content := []byte("tarball")
	sum := sha1.Sum(content)
	long, short := cache.Integrity(content), hex.EncodeToString(sum[:])
	old := "sha1-" + base64.StdEncoding.EncodeToString(sum[:])
	wrong := cache.Integrity([]byte("other"))
	for name, test := range map[string]struct {
		dist Dist
		says string // "" means that it is accepted
	}{
		"SHA-512":                     {Dist{Integrity: long}, ""},
		"several":                     {Dist{Integrity: "sha1-x " + long}, ""},
		"SHA-1":                       {Dist{Shasum: short}, ""},
		"SHA-1 in the newer form":     {Dist{Integrity: old}, ""},
		"a wrong SHA-512":             {Dist{Integrity: wrong, Shasum: short}, "not the one that was published"},
		"a wrong SHA-512, and a SHA1": {Dist{Integrity: wrong + " " + old}, "not the one that was published"},
		"a wrong SHA-1":               {Dist{Shasum: strings.Repeat("0", 40)}, "not the one of the registry"},
		"an unknown hash":             {Dist{Integrity: "md5-abc", Shasum: short}, "no SHA-512"},
		"nothing":                     {Dist{}, "no integrity"},
	} {
		err := Verify(content, test.dist)
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
