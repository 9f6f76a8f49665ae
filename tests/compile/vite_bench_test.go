package compile

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/components"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A React project of 100 components in a folder, served by Bellglass and by Vite's development server,
// in Chromium. docs/push.md has the figures.
//
//	go test ./tests/compile -run '^$' -bench Vite -benchtime 20x

const componentCount = 100

// vitePage says when the project has painted.
const vitePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Project</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>`

// painted logs the number in the frame after the one that shows the last component, once the
// document is complete. So a round begins when the load before is over.
func painted(n int) string {
	return fmt.Sprintf(`
const look = () => {
  if (document.readyState !== 'complete' || document.querySelectorAll('li').length < %d) return requestAnimationFrame(look)
  requestAnimationFrame(() => requestAnimationFrame(() => console.log('painted %d')))
}
look()
`, componentCount, n)
}

func componentProject(b *testing.B) (dir string) {
	b.Helper()
	files := components.Files(componentCount)
	files["/index.html"] = vitePage
	files["/tsconfig.json"] = `{ "compilerOptions": { "jsx": "react-jsx" } }`
	files["/package.json"] = `{ "type": "module", "dependencies": { "react": "*", "react-dom": "*" } }`
	files[components.Path(0)] = components.Part(0, painted(0))
	return newProject(b, files, "react", "react-dom", "scheduler")
}

var outerAt, libraryAt = regexp.MustCompile(`outer +(\S+)`), regexp.MustCompile(`library +(\S+)`)

// startServe serves the folder by bellglass serve. It returns the address of a page with the
// element.
func startServe(b *testing.B, dir string) (url string) {
	b.Helper()
	listeners := glass.Listen(b)
	url = fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	run := command.Start(b, "serve", dir, "--addr", "127.0.0.1:0", "--embedder", url)
	out := run.WaitOutput(b, "library ")
	page := fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Live</title><style>bellglass-sandbox { width: 100%%; height: 600px }</style>
<bellglass-sandbox live-update src="%s"></bellglass-sandbox><script type="module" src="%s"></script>`, outerAt.FindStringSubmatch(out)[1], libraryAt.FindStringSubmatch(out)[1])
	glass.Serve(b, listeners, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	return url
}

// servers are the two programs that serve the folder.
var servers = []struct {
	name  string
	start func(*testing.B, string) string
}{
	{"vite", func(b *testing.B, dir string) string { return startVite(b, dir) }},
	{"bellglass", startServe},
}

// open returns a function that waits until the page has painted a number.
func open(b *testing.B, url string) (await func(n int)) {
	b.Helper()
	lines := make(chan string, 1000)
	page := glass.NewPage(b)
	page.OnConsole(func(m playwright.ConsoleMessage) { lines <- m.Text() })
	if _, err := page.Goto(url); err != nil {
		b.Fatal(err)
	}
	return func(n int) {
		b.Helper()
		var said []string
		late := time.After(browser.Patience)
		for {
			select {
			case line := <-lines:
				if line == fmt.Sprintf("painted %d", n) {
					return
				}
				said = append(said, line)
			case <-late:
				b.Fatalf("the page does not paint %d; it says\n%s", n, strings.Join(said, "\n"))
			}
		}
	}
}

func reportBesideVite(b *testing.B, spent map[string]time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for name, all := range spent {
		b.ReportMetric(float64(all.Microseconds())/1_000/float64(b.N), "ms/"+name)
	}
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["vite"]), "of-vite")
}

// BenchmarkViteChange measures from before a component is saved until the page has painted it.
func BenchmarkViteChange(b *testing.B) {
	spent, dirs, awaits := map[string]time.Duration{}, map[string]string{}, map[string]func(int){}
	for _, s := range servers {
		dirs[s.name] = componentProject(b)
		awaits[s.name] = open(b, s.start(b, dirs[s.name]))
		awaits[s.name](0)
	}
	for round := 1; round <= b.N; round++ {
		for _, s := range servers {
			begun := time.Now()
			writeFile(b, dirs[s.name], components.Path(0), components.Part(0, painted(round)))
			awaits[s.name](round)
			spent[s.name] += time.Since(begun)
		}
	}
	reportBesideVite(b, spent)
}

// BenchmarkViteStart measures from before the program starts until the page has painted, with
// nothing cached by a run before.
func BenchmarkViteStart(b *testing.B) {
	spent := map[string]time.Duration{}
	command.Build(b)
	glass.Chromium(b)
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		for _, s := range servers {
			b.Setenv("XDG_CACHE_HOME", cache) // where the tests keep the packages
			dir := componentProject(b)
			b.Setenv("XDG_CACHE_HOME", b.TempDir())
			begun := time.Now()
			open(b, s.start(b, dir))(0)
			spent[s.name] += time.Since(begun)
		}
	}
	reportBesideVite(b, spent)
}
