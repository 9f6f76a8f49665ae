package child

import (
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bellglass/bellglass/compile/transform"
	"github.com/bellglass/bellglass/protocol"
)

// testPool returns a pool that gives up sooner.
func testPool(t *testing.T) *Pool { return poolWith(t, time.Second) }

// hostilePool returns a pool for sources that fail, which then are tried alone all the sooner.
func hostilePool(t *testing.T) *Pool { return poolWith(t, 200*time.Millisecond) }

// poolWith returns a pool with a deadline for requests that run together. It gives up late on
// neighbors, because a busy machine delays them.
func poolWith(t *testing.T, together time.Duration) *Pool {
	p := newPool(limits{together: together, alone: 3 * time.Second, idle: time.Minute})
	p.neighbors.deadline = time.Minute
	t.Cleanup(p.Close)
	return p
}

func source(name, text string) transform.Source {
	return transform.Source{Path: "/" + name, Language: transform.TSX, Text: text}
}

// nested returns a text of size bytes in which one construct contains itself.
func nested(before, middle, after string, size int) string {
	n := size / len(before+after)
	return strings.Repeat(before, n) + middle + strings.Repeat(after, n)
}

// memory returns the bytes that this process has of the system.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// Sources that end or occupy a process. The parent lives, its memory stays small, and a file beside
// each of them compiles.
func TestHostileSources(t *testing.T) {
	const size = transform.MaxSource - 64
	jsx := transform.Source{Path: "/hostile.tsx", Language: transform.TSX}
	ts := transform.Source{Path: "/hostile.ts", Language: transform.TypeScript}
	json := transform.Source{Path: "/hostile.json", Language: transform.JSON}
	for _, row := range []struct {
		name   string
		source transform.Source
		text   string
		// fails is set for sources that fail on every machine. Others may compile on a fast one.
		fails bool
	}{
		{"blocks", ts, nested("{", "", "}", size), true},
		{"not", ts, nested("!", "x", "", size), true},
		{"parentheses", ts, nested("(", "x", ")", size), true},
		{"arrays", ts, "x=" + nested("[", "", "]", size), true},
		{"objects", ts, "x=" + nested("{a:", "1", "}", size), false},
		{"templates", ts, nested("`${", "1", "}`", size), false},
		{"elements", jsx, "x=" + nested("<a>", "", "</a>", size), false},
		{"conditions", ts, nested("a?b:", "c", "", size), false},
		{"arrows", ts, nested("a=>", "1", "", size), true},
		{"functions", ts, nested("function f(){", "", "}", size), true},
		{"classes", ts, nested("class f{static{", "", "}}", size), true},
		{"types", ts, "let x:" + nested("A<", "B", ">", size), false},
		{"namespaces", ts, nested("namespace a{", "let x=1", "}", size), true},
		{"errors without nesting", ts, strings.Repeat("let ä;", size/7), true},
		{"JSON", json, nested("[", "", "]", size), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := hostilePool(t)
			row.source.Text = row.text
			var beside sync.WaitGroup
			beside.Go(func() {
				for i := range 10 {
					s := source("neighbor.tsx", fmt.Sprintf("export const n: number = %d", i))
					out, err := p.Scan(s)
					if want := transform.Scan(s); err != nil || !cmp.Equal(out, want, cmpopts.EquateEmpty()) {
						t.Errorf("neighbor %d: %v %v", i, err, out.Problems)
					}
				}
			})
			before := memory()
			out, err := p.Emit(row.source, nil)
			used := int64(memory()) - int64(before)
			beside.Wait()
			_, limited := errors.AsType[*transform.LimitError](err)
			if row.fails && !limited || err != nil && !limited {
				t.Errorf("it has %d bytes of code, %v, and the error %v", len(out.Code), out.Problems, err)
			}
			if used > 128<<20 {
				t.Errorf("the parent needs %d MiB for it", used>>20)
			}
		})
	}
}

// A CSS module can nest, too.
func TestHostileStyle(t *testing.T) {
	p := hostilePool(t)
	_, err := p.Style("/a.module.css", nested("a,b{", "color:red", "}", transform.MaxSource-64))
	if _, limited := errors.AsType[*transform.LimitError](err); !limited {
		t.Error(err)
	}
}

// A child answers as the functions of the package transform do.
func TestSameAsInProcess(t *testing.T) {
	p := testPool(t)
	s := source("a/main.tsx", "import { a, missing } from './b'\nimport c from 'c'\nexport * from './b'\nexport const d: number = <p>{a}{c}{missing}</p>\n")
	broken := source("broken.tsx", "let = = 3\n")
	targets := map[string]transform.Target{
		"./b": {URL: "/a/b.ts", IsFile: true},
		"c":   {URL: "c", Problem: "It leads nowhere."},
	}
	styles := "/a/b.module.css"
	type result struct {
		Output any
		Err    error
	}
	pair := func(out any, err error) result { return result{out, err} }
	for name, row := range map[string]struct{ got, want result }{
		"scan":   {pair(p.Scan(s)), pair(transform.Scan(s), nil)},
		"names":  {pair(p.Names(s)), pair(transform.Names(s), nil)},
		"emit":   {pair(p.Emit(s, targets)), pair(transform.Emit(s, targets), nil)},
		"style":  {pair(p.Style(styles, ".a { color: red }")), pair(transform.Style(styles, ".a { color: red }"), nil)},
		"broken": {pair(p.Scan(broken)), pair(transform.Scan(broken), nil)},
	} {
		if diff := cmp.Diff(row.want, row.got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if len(transform.Names(s)) == 0 {
		t.Error("the comparison needs names")
	}
}

func TestConcurrentRequests(t *testing.T) {
	p := testPool(t)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			name := fmt.Sprintf("name%d", i)
			out, err := p.Scan(source(name+".ts", "export const "+name+" = 1"))
			if err != nil || !slices.Equal(out.Exports, []string{name}) {
				t.Errorf("%s: %v %v", name, out, err)
			}
		})
	}
	all.Wait()
	if p.suspects.process != nil {
		t.Error("a request missed its deadline")
	}
}

// A request whose child somebody kills succeeds in another child.
func TestKilledChildIsReplaced(t *testing.T) {
	p := testPool(t)
	s := source("a.ts", "export const a = 1")
	if _, err := p.Scan(s); err != nil {
		t.Fatal(err)
	}
	first := p.together.process
	first.kill()
	<-first.gone
	if _, err := p.Scan(s); err != nil {
		t.Error(err)
	}
	if p.together.process == first {
		t.Error("the killed child is not replaced")
	}

	// While a request is running, the request is tried again.
	second := p.together.process
	slow := source("slow.ts", nested("{", "", "}", 6000))
	done := make(chan error)
	go func() {
		_, err := p.Scan(slow)
		done <- err
	}()
	for running := 0; running == 0; {
		second.mu.Lock()
		running = len(second.waiting)
		second.mu.Unlock()
	}
	second.kill()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if p.neighbors.process == nil {
		t.Error("the request is not tried again")
	}
}

// The error of a source that fails alone says which limit it exceeds, and what to do.
func TestLimitErrorSaysWhy(t *testing.T) {
	for _, row := range []struct {
		limits     limits
		text, says string
	}{
		{limits{together: time.Millisecond, alone: 500 * time.Millisecond}, nested("function f(){", "", "}", 100_000), "takes longer than 0.5 s. "},
		{limits{together: time.Minute, alone: time.Minute}, nested("!", "x", "", transform.MaxSource-1), "needs more than 1 GiB of memory or 256 MiB of stack. "},
	} {
		row.limits.idle = time.Minute
		p := newPool(row.limits)
		t.Cleanup(p.Close)
		_, err := p.Scan(source("a.ts", row.text))
		if err == nil || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), "Split it") {
			t.Errorf("the error is %v, want %q", err, row.says)
		}
	}
}

// A child that has nothing to do ends, and starts again.
func TestIdleChildEnds(t *testing.T) {
	p := newPool(limits{together: time.Minute, alone: time.Minute, idle: time.Millisecond})
	t.Cleanup(p.Close)
	s := source("a.ts", "export const a = 1")
	for range 2 {
		child, err := p.together.begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := child.do(t.Context(), request{Operation: scan, Source: s}, time.Minute); err != nil {
			t.Fatal(err)
		}
		p.together.finish()
		<-child.gone
		if state := child.cmd.ProcessState; !state.Success() {
			t.Error(state)
		}
	}
}

func TestClosedPool(t *testing.T) {
	p := testPool(t)
	s := source("a.ts", "export const a = 1")
	if _, err := p.Scan(s); err != nil {
		t.Fatal(err)
	}
	child := p.together.process
	p.Close()
	if !child.ended() {
		t.Error("the child runs on")
	}
	if _, err := p.Scan(s); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// What is too large is refused without a child.
func TestRefusedWithoutChild(t *testing.T) {
	p := testPool(t)
	long := source("long.ts", strings.Repeat(" ", transform.MaxSource+1))
	configured := source("a.ts", "")
	configured.Config = strings.Repeat(" ", transform.MaxConfig+1)
	for name, problems := range map[string]func() ([]protocol.Diagnostic, error){
		"source":  func() ([]protocol.Diagnostic, error) { out, err := p.Scan(long); return out.Problems, err },
		"options": func() ([]protocol.Diagnostic, error) { out, err := p.Scan(configured); return out.Problems, err },
		"style": func() ([]protocol.Diagnostic, error) {
			out, err := p.Style(long.Path, long.Text)
			return out.Problems, err
		},
	} {
		if list, err := problems(); err != nil || len(list) != 1 || list[0].Severity != protocol.SeverityError {
			t.Errorf("%s: %v %v", name, list, err)
		}
	}
	many := map[string]transform.Target{"a": {URL: strings.Repeat("a", maxRequest)}}
	_, err := p.Emit(source("a.ts", ""), many)
	if _, limited := errors.AsType[*transform.LimitError](err); !limited {
		t.Error(err)
	}
	if p.together.process != nil {
		t.Error("a child started")
	}
}

func TestMain(m *testing.M) {
	os.Setenv("BELLGLASS_SECRET", "of the parent") // which no child may have
	os.Exit(m.Run())
}
