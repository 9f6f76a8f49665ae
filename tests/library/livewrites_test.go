package library

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

var (
	liveCourses = flag.Int("live-courses", 6, "number of courses of changes for each engine in TestViewsEndWithWhatWasWritten")
	liveSeed    = flag.Uint64("live-seed", 1, "seed of the courses in TestViewsEndWithWhatWasWritten")
)

// liveState has the number of the last change of each part of a page, as a view shows it. A part
// that does not run has 0.
type liveState struct {
	HTML, Style, Main, Part, Hot int
	Broken                       bool
}

func (s liveState) files() map[string]string {
	part := fmt.Sprintf("export const part: number = %d\n", s.Part)
	if s.Broken {
		part = fmt.Sprintf("export const part: number = %d +\n", s.Part)
	}
	return map[string]string{
		"/index.html": fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Live</title><meta name="number" content="%d"><link rel="stylesheet" href="/style.css"><script src="/run.js"></script><script type="module" src="/main.ts"></script>`, s.HTML),
		"/run.js":     runner,
		"/style.css":  fmt.Sprintf(":root { --number: %d }\n", s.Style),
		"/main.ts":    fmt.Sprintf("import './hot'\nimport { part } from './part'\nObject.assign(globalThis, { main: %d, part })\n", s.Main),
		"/part.ts":    part,
		"/hot.ts":     fmt.Sprintf("Object.assign(globalThis, { hot: %d })\nimport.meta.hot?.accept()\n", s.Hot),
	}
}

// shown is what a page must show.
func (s liveState) shown() liveState {
	if s.Broken {
		s.Main, s.Part = 0, 0
	}
	return s
}

// liveNow is what the page shows.
const liveNow = `JSON.stringify({ HTML: Number(document.querySelector('meta[name=number]')?.content), Style: Number(getComputedStyle(document.documentElement).getPropertyValue('--number')), Main: globalThis.main ?? 0, Part: globalThis.part ?? 0, Hot: globalThis.hot ?? 0, Broken: document.querySelector('bellglass-overlay') !== null })`

// After any changes in any order, including mistakes, a view with live update shows the newest
// revision completely, without another boot.
func TestViewsEndWithWhatWasWritten(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := liveState{HTML: 1, Style: 1, Main: 1, Part: 1, Hot: 1}
			v := openLive(t, open, glass.AllScripts, state.files())
			number := 1
			for course := range *liveCourses {
				r := rand.New(rand.NewPCG(*liveSeed, uint64(course)))
				var done []string
				for range 4 {
					var revision int64
					for range 1 + r.IntN(4) { // changes that arrive while the view shows the previous one
						number++
						steps := map[string]func(){
							"html": func() { state.HTML = number }, "style": func() { state.Style = number }, "main": func() { state.Main = number },
							"part": func() { state.Part, state.Broken = number, false }, "mistake": func() { state.Part, state.Broken = number, true },
							"hot": func() { state.Hot = number }, "hot and style": func() { state.Hot, state.Style = number, number },
							"all": func() { state = liveState{HTML: number, Style: number, Main: number, Part: number, Hot: number} },
						}
						names := []string{"hot", "hot", "hot and style", "style", "part", "main", "html", "mistake", "all"}
						step := names[r.IntN(len(names))]
						done = append(done, step)
						steps[step]()
						revision = v.write(state.files())
					}
					v.eval(fmt.Sprintf(`heard('s0', 'shown', ({ revision }) => revision >= %d).then(({ path }) => path)`, revision))
					want, err := json.Marshal(state.shown())
					if err != nil {
						t.Fatal(err)
					}
					got := v.eval(`asked(` + glass.Literal(t, fmt.Sprintf(`new Promise((resolve) => {
						const end = performance.now() + 20_000
						const look = () => { const now = %s; if (now === %s || performance.now() > end) resolve(now); else setTimeout(look, 20) }
						look()
					})`, liveNow, glass.Literal(t, string(want)))) + `)`)
					if got != string(want) {
						t.Fatalf("seed %d, course %d, after %q the view shows %s, want %s", *liveSeed, course, done, got, want)
					}
				}
			}
			v.notBooted()
		})
	}
}
