package compile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/compile/child"
	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// compiledBy compiles files with a compiler, and returns the result with the texts of its scripts.
func compiledBy(t testing.TB, c *compile.Compiler, files map[string]string) (compile.Result, func(string) string) {
	t.Helper()
	contents := map[string][]byte{}
	for path, text := range files {
		contents[path] = []byte(text)
	}
	snapshot, err := vfs.NewStore(1<<30).Snapshot(contents, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Compile(t.Context(), compile.Input{Files: snapshot})
	if err != nil {
		t.Fatal(err)
	}
	return result, func(path string) string {
		text, err := result.Served.ReadFile(strings.TrimPrefix(compile.ScriptPath(path), "/"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// failing is a transformer that fails for the files named bad, and counts its attempts.
type failing struct {
	compile.InProcess
	err      error
	attempts int
}

func (f *failing) Scan(s transform.Source) (transform.Output, error) {
	if strings.HasPrefix(s.Path, "/bad.") {
		f.attempts++
		return transform.Output{}, f.err
	}
	return f.InProcess.Scan(s)
}

func (f *failing) Names(transform.Source) ([]transform.Name, error) {
	f.attempts++
	return nil, f.err
}

func (f *failing) Style(file, _ string) (transform.Styled, error) {
	f.attempts++
	return transform.Styled{}, f.err
}

// A file that fails has a diagnostic with the reason, and a module that throws it. Its neighbor is
// compiled. A source that exceeds a limit is not tried again for a while. A source for which there
// was no process is tried again with the next change.
func TestTransformerFails(t *testing.T) {
	limit := &transform.LimitError{Limit: "Compiling the file takes longer than 1 s"}
	for _, row := range []struct {
		name, file string
		err        error
		says       []string
		again      int // attempts in the next minute
	}{
		{"limit", "/bad.ts", limit, []string{"longer than 1 s", "nests too deeply", "Split it"}, 0},
		{"no process", "/bad.ts", errors.New("no process"), []string{"could not be compiled", "no process"}, 1},
		{"limit of the names", "/unread.ts", limit, []string{"longer than 1 s"}, 0},
		{"no process for the names", "/unread.ts", errors.New("no process"), []string{"no process"}, 1},
		{"limit of a style", "/bad.module.css", limit, []string{"longer than 1 s"}, 0},
		{"no process for a style", "/bad.module.css", errors.New("no process"), []string{"no process"}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &failing{err: row.err}
				c := compile.New(f)
				files := map[string]string{row.file: "import { missing } from './good.ts'\nmissing()", "/good.ts": fmt.Sprintf("import %q\nexport const good: number = 1", "."+row.file)}
				result, script := compiledBy(t, c, files)
				d := result.Diagnostics
				if len(d) != 1 || d[0].File != row.file || d[0].Line != 1 || d[0].Column != 1 || d[0].Severity != protocol.SeverityError {
					t.Fatalf("%+v", d)
				}
				for _, text := range row.says {
					if !strings.Contains(d[0].Text, text) || !strings.Contains(script(row.file), text) {
						t.Errorf("%q is missing in %q, or in %q", text, d[0].Text, script(row.file))
					}
				}
				if got := script("/good.ts"); !strings.Contains(got, "good = 1") {
					t.Errorf("the neighbor is %q", got)
				}

				for _, next := range []struct {
					after    time.Duration
					attempts int
				}{{time.Minute, row.again}, {time.Hour, 1}} {
					f.attempts = 0
					<-time.After(next.after) // by the bubble's clock
					if result, _ := compiledBy(t, c, files); len(result.Diagnostics) != 1 {
						t.Errorf("after %v: %+v", next.after, result.Diagnostics)
					}
					if f.attempts != next.attempts {
						t.Errorf("%d attempts after %v, want %d", f.attempts, next.after, next.attempts)
					}
				}
			})
		})
	}
}

// A source that would end the process is data, and the file that imports it is compiled.
func TestHostileFileBesideOthers(t *testing.T) {
	pool := child.New()
	t.Cleanup(pool.Close)
	result, script := compiledBy(t, compile.New(pool), map[string]string{
		"/good.ts":    "import './hostile'\nexport const good: number = 1",
		"/hostile.ts": strings.Repeat("!", 900_000) + "x",
	})
	d := result.Diagnostics
	if len(d) != 1 || d[0].File != "/hostile.ts" || !strings.Contains(d[0].Text, "nests too deeply") {
		t.Errorf("%+v", d)
	}
	if !strings.Contains(script("/good.ts"), "good = 1") || !strings.Contains(script("/hostile.ts"), "throw ") {
		t.Errorf("%q, %q", script("/good.ts"), script("/hostile.ts"))
	}
}

// BenchmarkComponents compiles 100 components that no cache has. Each iteration with a child in
// the name "started" includes its start.
func BenchmarkComponents(b *testing.B) {
	warm := child.New()
	b.Cleanup(warm.Close)
	for _, row := range []struct {
		name string
		with func() (compile.Transformer, func())
	}{
		{"in process", func() (compile.Transformer, func()) { return compile.InProcess{}, func() {} }},
		{"child", func() (compile.Transformer, func()) { return warm, func() {} }},
		{"child started", func() (compile.Transformer, func()) { p := child.New(); return p, p.Close }},
	} {
		b.Run(row.name, func(b *testing.B) {
			files := map[string]string{"/main.tsx": "", "/tsconfig.json": `{"compilerOptions": {"jsx": "react"}}`}
			for i := range 100 {
				files["/main.tsx"] += fmt.Sprintf("import { Component%d } from './component%d'\nconsole.log(Component%d)\n", i, i, i)
				files[fmt.Sprintf("/component%d.tsx", i)] = fmt.Sprintf(component, i)
			}
			for b.Loop() {
				t, end := row.with()
				if result, _ := compiledBy(b, compile.New(t), files); len(result.Diagnostics) != 0 {
					b.Fatal(result.Diagnostics[0])
				}
				end()
			}
		})
	}
}

const component = `type Props = { name: string; start?: number; children: unknown }

export function Component%d({ name, start, children }: Props) {
  const add = (n: number): number => n + (start ?? 1)
  return (
    <section className="row" onClick={() => console.log(add(2))}>
      <h2>{name}</h2>
      <ul>{[1, 2, 3].map((n) => <li key={n}>{add(n)}</li>)}</ul>
      {children}
    </section>
  )
}
`
