package packages

import (
	"archive/tar"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/packages/npm"
	"github.com/bellglass/bellglass/packages/registrytest"
)

// simple is a package with dependencies, written as "name range name range".
func simple(name, version string, dependencies ...string) pkg {
	of := keys{}
	for name, r := range pairs(dependencies...) {
		of[name] = r
	}
	return pkg{Name: name, Version: version, Manifest: keys{"dependencies": of}, Files: map[string]string{"index.js": "module.exports = '" + name + " " + version + "'"}}
}

// Each mistake has a message that says what, where, why, and what to do, and nothing of the
// packages is there afterwards.
func TestLoadMistakes(t *testing.T) {
	type e = registrytest.Entry
	bad := func(name string, entry e) pkg {
		return pkg{Name: name, Version: "1.0.0", Tarball: registrytest.Tarball(t, e{Name: "package/package.json", Content: "{}"}, entry)}
	}
	r := registrytest.New(t)
	r.Publish(t,
		simple("fine", "1.0.0"), simple("fine", "1.1.0"), simple("needs-none", "1.0.0", "none", "1"), simple("needs-range", "1.0.0", "fine", "^9"), simple("needs-git", "1.0.0", "fine", "git+https://x.example/y"),
		simple("corrupt", "1.0.0"), simple("lost", "1.0.0"), simple("failing", "1.0.0"),
		pkg{Name: "no-integrity", Version: "1.0.0", Dist: keys{"integrity": nil, "shasum": nil}},
		simple("climbing", "1.0.0/../../x"), simple("climbing", "1.0.0-x..y"), simple("climbing", "1.0.0-x/y"),
		pkg{Name: "weak", Version: "1.0.0", Dist: keys{"integrity": "md5-abc", "shasum": nil}},
		pkg{Name: "elsewhere", Version: "1.0.0", Dist: keys{"tarball": "file:///etc/passwd"}},
		bad("escaping", e{Name: "package/../../x", Content: "x"}), bad("linking", e{Name: "package/x", Link: "/etc/passwd", Type: tar.TypeSymlink}), bad("huge", e{Name: "package/x", Content: strings.Repeat("x", 200_000)}),
	)
	r.Corrupt("/corrupt/-/corrupt-1.0.0.tgz")
	r.Fail("/lost/-/lost-1.0.0.tgz", 404)
	r.Fail("/failing", 503)
	for _, test := range []struct {
		name, wanted string
		says         []string
	}{
		{"none", "1", []string{"the application needs none@1", r.URL, "has no package none", "check its name"}},
		{"fine", "^2", []string{"fine", `no version that matches "^2"`, "the newest are 1.1.0, 1.0.0", "the tags are latest"}},
		{"fine", "beta", []string{`no version that matches "beta"`, "Ask for one of these"}},
		{"needs-none", "1", []string{"needs-none@1.0.0 needs none@1", "has no package none"}},
		{"needs-range", "1", []string{"needs-range@1.0.0 needs fine@^9", "the newest are"}},
		{"needs-git", "1", []string{"needs-git@1.0.0: fine", "is not a version in a registry"}},
		{"fine", "file:../fine", []string{"the application: fine", "is not a version in a registry"}},
		{"../x", "1", []string{"is not a package name"}},
		{"corrupt", "1", []string{"corrupt 1.0.0 from " + r.URL, "is refused", "its integrity is sha512-"}},
		{"lost", "1", []string{"cannot fetch lost 1.0.0", r.URL + "lost/-/lost-1.0.0.tgz answers with status 404"}},
		{"failing", "1", []string{"cannot read the versions of failing", "answers with status 503", "after 2 retries"}},
		{"no-integrity", "1", []string{"no-integrity 1.0.0 is refused", "states no integrity"}},
		{"climbing", "latest", []string{`no version that matches "latest"`}},
		{"weak", "1", []string{"weak 1.0.0", "has no SHA-512"}},
		{"elsewhere", "1", []string{"elsewhere 1.0.0", "file:///etc/passwd"}},
		{"escaping", "1", []string{"escaping 1.0.0", "leads out of its folder", "Use another version"}},
		{"linking", "1", []string{"linking 1.0.0", "has a link", "/etc/passwd"}},
		{"huge", "1", []string{"huge 1.0.0", "more than 100000 bytes"}},
	} {
		o := options(t, r)
		o.Limits.PackageBytes = 100_000
		set, err := loadAll(t, o, test.name, test.wanted)
		for _, says := range test.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s@%s: %v; want %q in it", test.name, test.wanted, err, says)
			}
		}
		if set != nil {
			t.Errorf("%s: there is a set", test.name)
		}
	}
}

func TestLimits(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0", "b", "1"), simple("b", "1.0.0", "c", "1"), simple("c", "1.0.0"))
	for says, limits := range map[string]Limits{"more than 2 packages": {Packages: 2}, "more than 100 bytes together": {TotalBytes: 100}, "took longer than 1ns": {Time: 1}} {
		o := options(t, r)
		o.Limits = limits
		if _, err := loadAll(t, o, "a", "1"); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%v", err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopped by the user"))
	if _, err := Load(ctx, Request{Dependencies: pairs("a", "1")}, options(t, r)); err == nil || !strings.Contains(err.Error(), "stopped by the user") {
		t.Errorf("%v", err)
	}
}

// A failure that passes is retried.
func TestRetry(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0"))
	r.Fail("/a", 500)
	if _, err := loadAll(t, options(t, r), "a", "1"); err == nil {
		t.Error("no error")
	}
	if got := r.Requests(); len(got) != 3 {
		t.Errorf("it was asked %q", got)
	}
	r.Fail("/a", 404)
	if _, err := loadAll(t, options(t, r), "a", "1"); err == nil {
		t.Error("no error")
	}
	if got := r.Requests(); len(got) != 1 {
		t.Errorf("for what is not there it was asked %q", got)
	}
}

func TestToken(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("@private/a", "1.0.0"))
	r.RequireToken("secret")
	o := options(t, r)
	if _, err := loadAll(t, o, "@private/a", "1"); err == nil || !strings.Contains(err.Error(), "status 401") || !strings.Contains(err.Error(), ".npmrc") {
		t.Errorf("without a token: %v", err)
	}
	if err := o.Config.Add(".npmrc", []byte(strings.TrimPrefix(r.URL, "http:")+":_authToken=secret"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := loadAll(t, o, "@private/a", "1"); err != nil {
		t.Error(err)
	}
}

// With a lock and a full cache nobody is asked; offline says what is missing.
func TestLockAndOffline(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0", "b", "^1"), simple("b", "1.0.0"))
	o := options(t, r)
	set, err := loadAll(t, o, "a", "^1")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := set.Lock()
	if err != nil || strings.Contains(string(lock), r.URL) {
		t.Fatalf("%v, the lock names the registry:\n%s", err, lock)
	}
	r.Publish(t, simple("a", "1.5.0", "b", "^1"), simple("b", "1.5.0"))
	r.Requests()
	again := func(o Options, lock []byte, dependencies ...string) (*Set, error) {
		return Load(t.Context(), Request{Dependencies: pairs(dependencies...), Lock: lock}, o)
	}
	locked, err := again(o, lock, "a", "^1")
	if err != nil || locked.Dependencies()["a"] != "1.0.0" || len(r.Requests()) > 0 {
		t.Errorf("with a lock: %v, %v", locked, err)
	}
	if second, err := locked.Lock(); err != nil || string(second) != string(lock) {
		t.Errorf("%v, the lock became\n%s", err, second)
	}

	// The versions are in the cache, too, so offline needs no lock.
	offline := o
	offline.Offline = true
	if set, err := again(offline, nil, "a", "^1"); err != nil || set.Dependencies()["a"] != "1.0.0" || len(r.Requests()) > 0 {
		t.Errorf("offline: %v, %v", set, err)
	}
	// Another cache has nothing.
	empty := options(t, r)
	empty.Offline = true
	_, err = again(empty, lock, "a", "^1")
	if missing, ok := errors.AsType[*npm.MissingError](err); !ok || missing.What != "a 1.0.0, b 1.0.0" || !strings.Contains(err.Error(), "--offline") {
		t.Errorf("offline with a lock and without the cache: %v", err)
	}
	_, err = again(empty, nil, "a", "^1")
	if missing, ok := errors.AsType[*npm.MissingError](err); !ok || missing.What != "the versions of a" {
		t.Errorf("offline with nothing: %v", err)
	}
	if len(r.Requests()) > 0 {
		t.Error("offline asks the registry")
	}

	// A new dependency keeps what is locked.
	r.Publish(t, simple("c", "1.0.0", "b", "^1.0.0"))
	if set, err := again(o, lock, "a", "^1", "c", "*"); err != nil || set.Dependencies()["a"] != "1.0.0" || set.Size() != 3 {
		t.Errorf("a further dependency: %+v, %v", set, err)
	}
	// A range that the lock does not satisfy is resolved, and what is left over disappears.
	if set, err := again(o, lock, "a", "^1.5.0"); err != nil || set.Dependencies()["a"] != "1.5.0" || set.Size() != 2 {
		t.Errorf("another range: %+v, %v", set, err)
	}
	if set, err := again(o, lock, "b", "^1"); err != nil || set.Size() != 1 {
		t.Errorf("less: %+v, %v", set, err)
	}
	// The lock's integrity decides, and not the registry's.
	other := options(t, r)
	wrong := regexp.MustCompile(`sha512-[^"]*`).ReplaceAllString(string(lock), npmIntegrity)
	if _, err := again(other, []byte(wrong), "a", "^1"); err == nil || !strings.Contains(err.Error(), "is refused") {
		t.Errorf("a tarball that the lock does not name: %v", err)
	}
	for name, text := range map[string]string{
		"no JSON": "x", "another version": `{"lockVersion": 9, "dependencies": {}, "packages": {}}`, "unknown keys": `{"lockVersion": 1, "x": 1}`, "two documents": string(lock) + "{}",
		"a missing package":       `{"lockVersion": 1, "dependencies": {"a": {"range": "1", "package": "a@1.0.0"}}, "packages": {}}`,
		"a weak integrity":        `{"lockVersion": 1, "dependencies": {}, "packages": {"a@1.0.0": {"integrity": "sha1-x"}}}`,
		"a path for a name":       `{"lockVersion": 1, "dependencies": {}, "packages": {"../a@1.0.0": {"integrity": "sha512-x"}}}`,
		"a path for a version":    `{"lockVersion": 1, "dependencies": {}, "packages": {"a@../1.0.0": {"integrity": "sha512-x"}}}`,
		"an invalid import's key": `{"lockVersion": 1, "dependencies": {"../a": {"range": "1", "package": "", "optional": true}}, "packages": {}}`,
	} {
		if _, err := again(o, []byte(text), "a", "^1"); err == nil || !strings.Contains(err.Error(), "bellglass-lock.json") || !strings.Contains(err.Error(), "delete the file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A package-lock.json decides about versions, and its integrity about tarballs.
func TestNPMLock(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0", "b", "^1"), simple("a", "1.5.0", "b", "^1"), simple("b", "1.0.0"), simple("b", "1.5.0"), simple("c", "1.0.0"))
	text := `{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "^1"}}, "node_modules/a": {"version": "1.0.0"}, "node_modules/a/node_modules/b": {"version": "1.0.0", "integrity": "INTEGRITY"}, "node_modules/link": {"link": true}}}`
	try := func(text string, dependencies ...string) (*Set, error) {
		return Load(t.Context(), Request{Dependencies: pairs(dependencies...), NPMLock: []byte(text)}, options(t, r))
	}
	set, err := try(strings.Replace(text, "INTEGRITY", "", 1), "a", "^1", "c", "1")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := set.Lock()
	if err != nil || set.Dependencies()["a"] != "1.0.0" || !strings.Contains(string(lock), "b@1.0.0") {
		t.Errorf("%v, the lock is\n%s", err, lock)
	}
	if set, err := try(strings.Replace(text, "INTEGRITY", "", 1), "a", "^1.2.0"); err != nil || set.Dependencies()["a"] != "1.5.0" {
		t.Errorf("a range that it does not satisfy: %v, %v", set, err)
	}
	if _, err := try(strings.Replace(text, "INTEGRITY", npmIntegrity, 1), "a", "^1"); err == nil || !strings.Contains(err.Error(), "b 1.0.0") || !strings.Contains(err.Error(), "is refused") {
		t.Errorf("another integrity: %v", err)
	}
	for _, bad := range []string{"x", `{"lockfileVersion": 1}`} {
		if _, err := try(bad, "a", "^1"); err == nil || !strings.Contains(err.Error(), "package-lock.json") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

var npmIntegrity = "sha512-" + strings.Repeat("A", 86) + "=="

// A registry that is slow to answer does not hold up the end.
func TestTimeLimitEndsRequests(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0"))
	r.Fail("/a", 500)
	o := options(t, r)
	o.Pause, o.Limits.Time = time.Hour, 100*time.Millisecond
	if _, err := loadAll(t, o, "a", "1"); err == nil || !strings.Contains(err.Error(), "took longer than 100ms") {
		t.Errorf("%v", err)
	}
}

// The tarball of one package ends the requests for all. The error names that package, and not
// one whose request it has ended.
func TestErrorNamesItsPackage(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("a", "1.0.0"), simple("b", "1.0.0"))
	r.Corrupt("/a/-/a-1.0.0.tgz")
	r.Fail("/b/-/b-1.0.0.tgz", 500)
	o := options(t, r)
	o.Pause = time.Hour
	_, err := loadAll(t, o, "a", "1", "b", "1")
	if refused, ok := errors.AsType[*npm.IntegrityError](err); !ok || refused.Package != "a 1.0.0" {
		t.Errorf("%v, of %+v", err, refused)
	}
}

// What people should know.
func TestWarnings(t *testing.T) {
	r := registrytest.New(t)
	r.Publish(t, simple("old", "1.0.0"), pkg{Name: "lib", Version: "1.0.0", Manifest: keys{"peerDependencies": keys{"react": "^18"}}})
	r.Publish(t, react("19.2.0")...)
	r.Deprecate("old", "1.0.0", "use new")
	set, err := loadAll(t, options(t, r), "old", "1", "lib", "1", "react", "19")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"old 1.0.0 is deprecated: use new", "lib@1.0.0 wants react@^18, and gets 19.2.0, the one that is chosen for all"} {
		if !slices.Contains(set.Notes(), want) {
			t.Errorf("no %q in %q", want, set.Notes())
		}
	}
}
