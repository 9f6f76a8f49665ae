package sw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verdictsHost fills the worker's queue while the server does not answer. It then prints what
// the worker sends once the server does: the number of verdicts of each rank, and the number
// of dropped ones.
const verdictsHost = `declare const process: any
Object.assign(globalThis, {
	bellglassConfig: { secret: 's', refusal: {} }, DECIDES: true, DROPS_HEADERS: true,
	self: { clients: { get: async () => undefined }, location: { origin: 'http://a.example' } }, location: { origin: 'http://a.example' },
})
let answer = () => {}
const ready = new Promise<void>((resolve) => { answer = resolve })
const sent = { virtual: 0, allow: 0, block: 0, dropped: 0 }
globalThis.fetch = (async (_: string, init: { body: string }) => {
	await ready
	const { dropped, verdicts } = JSON.parse(init.body)
	sent.dropped += dropped
	for (const { action, virtual } of verdicts) sent[(virtual ? 'virtual' : action) as keyof typeof sent]++
	return new Response(null, { status: 204 })
}) as unknown as typeof fetch

async function main() {
	const { record, settled } = await import('../sw/src/verdicts')
	const event = { request: { method: 'GET', url: 'http://a.example/', destination: '' }, clientId: '', waitUntil() {} } as unknown as FetchEvent
	const add = (count: number, action: 'allow' | 'block', virtual: boolean) => {
		for (let i = 0; i < count; i++) record(event, { action, virtual, status: 200, revision: 1, rule: '', code: '', reason: '', file: '', line: 0 })
	}
	add(1_500, 'allow', true)
	add(600, 'allow', false) // 100 more than the worker keeps
	add(1_500, 'block', false)
	add(10, 'allow', true) // no room is left
	answer()
	print([await settled(), sent])
	process.exit()
}
void main()
`

// A full queue drops verdicts on virtual files first and blocks last.
func TestFullQueueKeepsBlocks(t *testing.T) {
	var got []any
	runNode(t, verdictsHost, struct{}{}, &got)
	sent, _ := got[1].(map[string]any)
	if got[0] != true || sent["block"] != 1500.0 || sent["allow"] != 500.0 || sent["virtual"] != 0.0 || sent["dropped"] != 1610.0 {
		t.Errorf("it sent %v", got)
	}
}

// gatheringHost runs the worker's verdicts.ts by a clock of its own. It prints how many verdicts the
// server had at which times, in milliseconds.
const gatheringHost = `declare const process: any
Object.assign(globalThis, {
	bellglassConfig: { secret: 's', refusal: {} }, DECIDES: true, DROPS_HEADERS: true,
	self: { clients: { get: async () => undefined }, location: { origin: 'http://a.example' } }, location: { origin: 'http://a.example' },
})
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
declare const setImmediate: (run: () => void) => void
let now = 0, last = 0
const timers = new Map<number, { readonly at: number; readonly run: () => void }>()
const clock: any = {
	setTimeout: (run: (...args: unknown[]) => void, time: number, ...args: unknown[]) => { timers.set(++last, { at: now + time, run: () => run(...args) }); return last },
	clearTimeout: (timer: number) => timers.delete(timer),
}
Object.assign(globalThis, clock)
Object.defineProperty(globalThis, 'performance', { value: { now: () => now } })
const got: [number, number][] = []
globalThis.fetch = (async (_: string, init: { body: string }) => {
	got.push([now, JSON.parse(init.body).verdicts.length])
	await new Promise((resolve) => setTimeout(resolve, 10))
	return new Response(null, { status: 204 })
}) as unknown as typeof fetch

// until lets the time pass.
async function until(time: number) {
	for (;; now++) {
		for (const [timer, { at, run }] of timers) if (at <= now && timers.delete(timer)) run()
		for (let i = 0; i < 5; i++) await turn()
		if (now === time) return
	}
}

async function main() {
	const { record } = await import('../sw/src/verdicts')
	const event = { request: { method: 'GET', url: 'http://a.example/', destination: '' }, clientId: '', waitUntil() {} } as unknown as FetchEvent
	for (const [at, action, virtual] of input) {
		await until(at)
		record(event, { action, virtual, status: 200, revision: 1, rule: '', code: '', reason: '', file: '', line: 0 })
	}
	await until(now + 1_000)
	print(got)
	process.exit()
}
void main()
`

// Verdicts on virtual files travel together: those of one load in one request, and those of a page
// that never stops twice per second. Any other verdict is sent at once, with those that wait.
func TestVerdictsAreGathered(t *testing.T) {
	type verdicts [][]any
	var endless verdicts
	for at := 0; at <= 600; at += 40 {
		endless = append(endless, []any{at, "allow", true})
	}
	for _, row := range []struct {
		name string
		made verdicts
		want [][2]int // time and number
	}{
		{"one", verdicts{{0, "allow", true}}, [][2]int{{50, 1}}},
		{"a load", verdicts{{0, "allow", true}, {40, "allow", true}, {80, "allow", true}}, [][2]int{{130, 3}}},
		{"two loads", verdicts{{0, "allow", true}, {100, "allow", true}}, [][2]int{{50, 1}, {150, 1}}},
		{"during a request", verdicts{{0, "allow", true}, {55, "allow", true}}, [][2]int{{50, 1}, {110, 1}}},
		{"without an end", endless, [][2]int{{500, 13}, {650, 3}}},
		{"a block", verdicts{{0, "allow", true}, {20, "block", false}}, [][2]int{{20, 2}}},
		{"a block alone", verdicts{{0, "block", false}}, [][2]int{{0, 1}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got [][2]int
			runNode(t, gatheringHost, row.made, &got)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
