package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/server"
)

// A folder's sources import what its node_modules has, also after package.json has changed.
func TestFolderPackages(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"dependencies": {"tiny": "^1.0.0"}}`)
	write("node_modules/tiny/package.json", `{"name": "tiny", "version": "1.2.0", "main": "index.js"}`)
	write("node_modules/tiny/index.js", "exports.word = 'tiny'")
	write("main.ts", "import { word } from 'tiny'; import { other } from 'other'; export default word + other")
	srv, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	source, err := openSource(dir, "", srv.Store(), folderFlags{MaxFiles: 100, MaxBytes: 1 << 20, MaxFileSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer source.close()
	sandbox, err := srv.Create(server.Spec{Files: source.files, Packages: source.packages})
	if err != nil {
		t.Fatal(err)
	}
	faults := sandbox.Diagnostics()
	if len(faults) != 1 || faults[0].Column != 52 || !strings.Contains(faults[0].Text, "bellglass add other") {
		t.Errorf("the diagnostics are %+v, want one for the package other", faults)
	}
	if got := foundPackages(source.packages); got != "; 1 package from node_modules" {
		t.Errorf("the packages are %q", got)
	}
	write("node_modules/other/package.json", `{"name": "other", "version": "3.0.0"}`)
	write("node_modules/other/index.js", "export const other = 'other'")
	write("package.json", `{"dependencies": {"tiny": "^1.0.0", "other": "3"}}`)
	if source.files, err = source.folder.Snapshot(); err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.SetFiles(source.files); err != nil {
		t.Fatal(err)
	}
	if faults := sandbox.Diagnostics(); len(faults) > 0 {
		t.Errorf("with both packages, the diagnostics are %+v", faults)
	}
	v, _ := sandbox.Version()
	script, err := v.Served.ReadFile(compile.ScriptPath("/main.ts")[1:])
	if err != nil || !strings.Contains(string(script), "/node_modules/.bellglass/tiny@1.2.0/") || !strings.Contains(string(script), "/node_modules/.bellglass/other@3.0.0/") {
		t.Errorf("the script is\n%.300s\n(%v)", script, err)
	}
}
