package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/bellglass/bellglass/vfs"
)

// folderFlags are the flags of commands that read a folder. Large files stay on disk,
// but each change rereads the whole folder, at about 1.5 s per GiB.
type folderFlags struct {
	Ignore      []string `help:"Pattern of files to leave out, as in a .gitignore. Can be repeated. Overrides the folder's .bellglassignore." sep:"none" placeholder:"PATTERN"`
	MaxFiles    int      `help:"Limit on the number of files." default:"20000" placeholder:"N"`
	MaxBytes    size     `help:"Limit on the size of all files together, such as 800MB or 2GiB." default:"1GiB" placeholder:"SIZE"`
	MaxFileSize size     `help:"Limit on the size of each file." default:"512MiB" placeholder:"SIZE"`
}

// size is a flag's number of bytes, in the form 100MB or 1.5GiB.
type size int64

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n == 0 || n > math.MaxInt64 {
		return fmt.Errorf("%.40q is not a size; write a number of bytes with a unit, such as 100MB or 1.5GiB", text)
	}
	*s = size(n)
	return nil
}

// limits returns the limits that the flags set. A browser limits the length of paths.
func (f folderFlags) limits() vfs.Limits {
	return vfs.Limits{FileSize: int64(f.MaxFileSize), TotalSize: int64(f.MaxBytes), Files: f.MaxFiles, PathLength: vfs.DefaultLimits().PathLength}
}

// open opens the folder with the flags' limits and patterns.
func (f folderFlags) open(dir string, store *vfs.Store) (*vfs.Folder, error) {
	if f.MaxFiles < 1 {
		return nil, fmt.Errorf("--max-files is %d; it must be positive", f.MaxFiles)
	}
	folder, err := vfs.OpenFolder(dir, store, f.limits(), f.Ignore...)
	if err != nil || !importsPackages(dir) {
		return folder, err
	}
	if err := folder.LeaveOut("/node_modules/"); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// importsPackages reports whether only imports by name use the folder's node_modules. The compiler
// bundles the imported packages, so serve does not need to read the other files, often 20,000. A page
// at the top of the folder that contains "node_modules/" may load some of them by path.
func importsPackages(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err != nil {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".html" {
			continue
		}
		if page, err := os.ReadFile(filepath.Join(dir, entry.Name())); err != nil || bytes.Contains(page, []byte("node_modules/")) {
			return false
		}
	}
	return true
}

// explain turns the error for an exceeded limit into one that says what is in the
// folder and which flags would help. It returns other errors as they are.
func (f folderFlags) explain(err error) error {
	over, ok := errors.AsType[*vfs.LimitError](err)
	if !ok || over.Folder == nil {
		return err
	}
	all, whole := over.Folder, "it"
	if all.Partial {
		whole = "as far as it was counted it"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "the folder is over %s: %s has %s files in %s folders, %s together, the largest %s. ",
		passed(over), whole, humanize.Comma(int64(all.Files)), humanize.Comma(int64(all.Folders)), humanize.IBytes(uint64(all.Bytes)), humanize.IBytes(uint64(all.FileSize)))
	var heavy, ignore []string
	for _, share := range all.Heaviest {
		is := humanize.IBytes(uint64(share.Bytes))
		if over.What != vfs.LimitFileSize && strings.HasSuffix(share.Path, "/") {
			is = humanize.Comma(int64(share.Files)) + " files, " + is
		}
		heavy = append(heavy, fmt.Sprintf("%s (%s)", share.Path, is))
		ignore = append(ignore, "--ignore "+shellWord(vfs.IgnorePattern(share.Path)))
	}
	if heavy != nil {
		fmt.Fprintf(&text, "Most of that is in %s. Leave out what the page does not load, with %s", strings.Join(heavy, ", "), strings.Join(ignore, " "))
	} else {
		text.WriteString("Leave out what the page does not load, with --ignore PATTERN")
	}
	flags := f.enough(all)
	if over.What == vfs.LimitStore {
		flags = append(flags, "a larger --max-store-bytes")
	}
	if flags != nil && over.What != vfs.LimitFolders {
		fmt.Fprintf(&text, "; or allow it, with %s", strings.Join(flags, " "))
	}
	return &folderError{text.String(), err}
}

// passed names a limit by its flag.
func passed(over *vfs.LimitError) string {
	switch over.What {
	case vfs.LimitFiles:
		return fmt.Sprintf("--max-files %d", over.Max)
	case vfs.LimitTotalSize:
		return "--max-bytes " + strings.ReplaceAll(humanize.IBytes(uint64(over.Max)), " ", "")
	case vfs.LimitFileSize:
		return "--max-file-size " + strings.ReplaceAll(humanize.IBytes(uint64(over.Max)), " ", "")
	case vfs.LimitStore:
		return "--max-store-bytes " + strings.ReplaceAll(humanize.IBytes(uint64(over.Max)), " ", "") + ", which is for the small files of all sandboxes, and for 512 bytes and the path of each file"
	default:
		return fmt.Sprintf("the %s folders that are read at most", humanize.Comma(over.Max))
	}
}

// enough returns the flags that would accept the folder.
func (f folderFlags) enough(all *vfs.Survey) (flags []string) {
	if all.Files > f.MaxFiles {
		flags = append(flags, fmt.Sprintf("--max-files %d", roundUp(int64(all.Files))))
	}
	if all.Bytes > int64(f.MaxBytes) {
		flags = append(flags, "--max-bytes "+sizeWord(all.Bytes))
	}
	if all.FileSize > int64(f.MaxFileSize) {
		flags = append(flags, "--max-file-size "+sizeWord(all.FileSize))
	}
	return flags
}

// roundUp returns a slightly larger number with two significant digits, so that the
// folder may grow a little.
func roundUp(n int64) int64 {
	step := int64(1)
	for n/step >= 100 {
		step *= 10
	}
	return (n/step + 1) * step
}

// sizeWord returns the value of a size flag, slightly larger than n.
func sizeWord(n int64) string {
	unit, word := int64(1), "B"
	for _, next := range []string{"KiB", "MiB", "GiB"} {
		if n < 10*unit<<10 {
			break
		}
		unit, word = unit<<10, next
	}
	return fmt.Sprint(roundUp(n/unit), word)
}

// shellWord quotes a word for a shell, if necessary.
func shellWord(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// A folderError is a limit's error in terms of the command line.
type folderError struct {
	text  string
	cause error
}

func (e *folderError) Error() string { return e.text }
func (e *folderError) Unwrap() error { return e.cause }
