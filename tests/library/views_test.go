package library

import (
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Each of two elements of one sandbox hears of both views, and an event names its view. An
// element that is given an event's id reports only what follows, also after it was put back.
func TestLibraryViews(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, sandbox.OuterURL(), sandbox.OuterURL()), "")
	expect := expecting(t, page)
	expect("two views", `(async () => {
		await loaded
		globalThis.main = by('s0').parentNode
		for (const id of ['s0', 's1']) await heard(id, 'ready')
		const views = ['s0', 's1'].map((id) => by(id).view)
		for (const id of ['s0', 's1']) {
			for (const view of views) {
				await heard(id, 'console', (detail) => detail.view === view)
				await heard(id, 'error', ({ event }) => event.view === view)
			}
		}
		return [new Set(views).size, views.every((view) => /^[a-z2-7]{26}$/.test(view))].join()
	})()`, "2,true")

	outcome, err := sandbox.Execute(t.Context(), server.Execution{ID: "job-1", Code: "console.log('in a job')", Timeout: time.Minute})
	if err != nil || len(outcome.Console) != 1 || outcome.Console[0].Execution != "job-1" {
		t.Fatalf("the execution: %+v, %v", outcome, err)
	}
	expect("an execution", `(async () => {
		const { execution, view } = await heard('s0', 'console', ({ text }) => text === 'in a job')
		return execution + ' ' + ['s0', 's1'].filter((id) => by(id).view === view).length
	})()`, "job-1 1")

	expect("what follows an event", `(async () => {
		const ids = (id) => log.filter((entry) => entry.id === id && entry.type !== 'blocked' && entry.detail.id !== undefined).map(({ detail }) => detail.id)
		const last = ids('s0').at(-1)
		const element = made('s2', by('s0').src)
		element.afterEvent = last
		for (const round of ['first', 'again']) {
			const from = log.length
			main.append(element)
			await heard('s2', 'ready', undefined, from)
			await heard('s2', 'console', ({ view }) => view === element.view, from)
			element.remove()
		}
		const late = ids('s2')
		return [element.getAttribute('after-event') === String(last), last > 1, late.length > 1, late.every((id) => id > last), new Set(late).size === late.length].join()
	})()`, "true,true,true,true,true")
}
