package sw_test

import "testing"

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
