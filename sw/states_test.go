package sw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// statesHost runs the worker's states.ts against a fake server that answers when the test lets
// it. The log lists the requested paths, without the holder's name.
const statesHost = `declare const Buffer: any, process: any
Object.assign(globalThis, { bellglassConfig: { secret: 's', key: 'k', refusal: {} }, DECIDES: true, DROPS_HEADERS: true, self: { location: new URL('http://sandbox.test/') } })

interface Asked { readonly path: string; readonly answer: (response: Response | Error) => void }
let asked: Asked[] = []
const log: string[] = []
globalThis.fetch = ((url: URL) => new Promise((resolve, reject) => {
	const path = url.pathname + url.search
	const short = path.replace('/.bellglass/', '').replace(/[?&]holder=[-0-9a-f]+/, '')
	log.push(short)
	asked.push({ path: short, answer: (response) => (response instanceof Error ? reject(response) : resolve(response)) })
})) as typeof fetch

// turn gives pending promises the time to settle.
const turn = async () => { for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0)) }

// settled reports whether the promise resolves before the next reply.
async function settled(promise: Promise<unknown>) {
	let over = false
	void promise.then(() => (over = true))
	await turn()
	return over
}

// reply answers the oldest request whose path begins with begin.
async function reply(begin: string, response: Response | Error) {
	await turn()
	const found = asked.find(({ path }) => path.startsWith(begin))
	if (found === undefined) throw new Error('no open request begins with ' + begin + '; the requests were ' + JSON.stringify(log))
	asked = asked.filter((each) => each !== found)
	found.answer(response)
	await turn()
}

// lasting is a lease that outlives every test, however slow the machine is.
const lasting = 1e9 // milliseconds
const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
const response = (name: string, lease: number) => new Response(bytesOf(input[name]), { headers: { 'Bellglass-Lease': String(lease) } })
const same = (lease: number) => new Response(null, { status: 204, headers: { 'Bellglass-Lease': String(lease) } })
const refused = () => new Response('no', { status: 500 })

// changes returns a change stream to which the scenario writes lines.
function changes() {
	let control: any
	const body = new ReadableStream({ start: (c) => { control = c } })
	return { response: new Response(body), say: async (line: string) => { control.enqueue(new TextEncoder().encode(line + '\n')); await turn() }, end: async () => { control.close(); await turn() } }
}

// asks returns the requests since its last call.
const asks = async () => { await turn(); return log.splice(0).join(', ') }

const later = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

const got: unknown[] = []
const finish = () => { print(got); process.exit() }
setTimeout(() => { got.push('the scenario hangs; the requests were ' + log.join(', ')); finish() }, 100_000) // longer than any passing scenario

async function open() {
	const { states } = await import('../sw/src/states')
	const { blobs } = await import('../sw/src/blobs')
	// seen returns what a request would get: the revision and the content of each file.
	const seen = async () => {
		const state = await states.recent()
		const texts = await Promise.all(state.files.map(async (file) => new TextDecoder().decode(await blobs.whole(file))))
		return [state.revision, ...texts].join(' ')
	}
	// wake starts the worker, and names revision 1 in its change stream.
	const wake = async () => {
		states.wake()
		const stream = changes()
		await reply('changes', stream.response)
		await stream.say('1')
		return stream
	}
	const failing = () => seen().catch((error) => 'refused: ' + error.message.slice(0, 30))
	return { states, seen, wake, failing }
}
`

// statesInput holds the responses of three revisions, each with the contents that the previous
// one lacks, and a damaged response.
func statesInput(t *testing.T) map[string][]byte {
	t.Helper()
	make := func(revision, index, rest string, files string) []byte {
		return responseOf(`{"protocol":1,"revision":`+revision+`,"files":[`+files+`]}`, index, rest)
	}
	const a, b, c, d = `{"path":"/a","hash":"a","size":1}`, `{"path":"/b","hash":"b","size":1}`, `{"path":"/c","hash":"c","size":1}`, `{"path":"/d","hash":"d","size":1}`
	two := make("2", `{"kept":[0],"sent":[1]}`, "c", a+","+c)
	return map[string][]byte{
		"one": make("1", `{"kept":[],"sent":[0,1]}`, "ab", a+","+b), "two": two, "cut": two[:len(two)-1],
		"waiting": responseOf(`{"protocol":1,"revision":1,"waits":true,"files":[]}`, `{"kept":[],"sent":[]}`, ""), "app": make("2", `{"kept":[],"sent":[0]}`, "a", a),
		"three": make("3", `{"kept":[0,1],"sent":[]}`, "", a+","+b), "three from one": make("3", `{"kept":[0],"sent":[1]}`, "d", a+","+d),
	}
}

// runStates runs a scenario, written in TypeScript, on the worker's states, and compares what
// it reports. An unhandled rejected promise ends Node.
func runStates(t *testing.T, course string, want ...any) {
	t.Helper()
	var got []any
	runNode(t, statesHost+"void (async () => {\nconst { states, seen, wake, failing } = await open()\n"+course+"\nfinish()\n})()\n", statesInput(t), &got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A document that waits for the sandbox's MCP App asks for the next revision and acknowledges
// it, so that neither side needs another request when the app comes. Other requests do not
// wait.
func TestDocumentsWaitForTheirApp(t *testing.T) {
	runStates(t, `
const stream = await wake()
await reply('state', response('waiting', lasting))
let document = 'waits'
const waiting = await states.recent()
await asks()
void states.after(waiting).then((state) => { document = 'has revision ' + state?.revision })
got.push(await asks(), document)
// The worker has acknowledged this revision. It answers from it only after the server confirms it.
const other = states.recent()
got.push(await asks())
await reply('state?have=1&told=2&newer', same(0)) // the server held the request until its limit
await reply('state?have=1&told=2', same(0))
got.push((await other).revision, document, await asks())
await reply('state?have=1&told=2&newer', refused())
got.push(document)
await later(1_000)
got.push(await asks())
await stream.say('2')
await reply('state?have=1&told=2&newer', response('app', 0))
got.push(document, await asks())
`, "state?have=1&told=2&newer=1", "waits", "state?have=1&told=2", 1.0, "waits", "state?have=1&told=2&newer=1", "waits",
		"state?have=1&told=2&newer=1", "has revision 2", "")
}

// A waking worker requests everything that its first answer needs at once, before any request
// arrives, and requests nothing afterwards.
func TestAWakeIsOneRoundTrip(t *testing.T) {
	runStates(t, `
states.wake()
got.push(await asks())
const stream = changes(), first = seen()
await reply('changes', stream.response)
await stream.say('1')
await reply('state', response('one', lasting))
got.push(await first, await seen(), await asks())
await stream.say('1')
got.push(await asks())
// The worker acknowledges a later revision, and answers nothing until it has loaded it.
await stream.say('2')
got.push(await asks())
const second = seen()
got.push(await settled(second))
await reply('state', response('two', lasting))
got.push(await second, await seen(), await asks())
`, "changes, state?have=0&told=0", "1 a b", "1 a b", "", "", "state?have=1&told=2", false, "2 a c", "2 a c", "")
}

// Without a lease the worker answers nothing from memory. The stream's first line starts the
// load that gets a lease.
func TestAWakeWithoutALease(t *testing.T) {
	runStates(t, `
states.wake()
const stream = changes(), first = seen()
await reply('state', response('one', 0))
// That load began before the request arrived, so the request needs a load of its own.
got.push(await asks())
await reply('changes', stream.response)
await stream.say('1')
got.push(await asks())
await reply('state', same(0))
got.push(await first)
await reply('state', same(lasting))
got.push(await seen(), await asks())
`, "changes, state?have=0&told=0, state?have=1&told=0", "state?have=1&told=1", "1 a b", "1 a b", "")
	runStates(t, `
// The line arrives before the answer without a lease. It starts one load, although no request waits.
const stream = await wake()
got.push(await asks())
await reply('state', response('one', 0))
got.push(await asks())
const first = seen()
await reply('state', same(lasting))
got.push(await first, await seen(), await asks())
`, "changes, state?have=0&told=0", "state?have=1&told=1", "1 a b", "1 a b", "")
}

// A revision that the stream names during the first load is acknowledged right after that
// load.
func TestAChangeDuringAWake(t *testing.T) {
	runStates(t, `
const stream = await wake()
await stream.say('2')
got.push(await asks())
await reply('state', response('one', lasting))
got.push(await asks())
await reply('state', response('two', lasting))
got.push(await seen(), await asks())
`, "changes, state?have=0&told=0", "state?have=1&told=2", "2 a c", "")
}

// If the server cannot be reached when the worker starts, the next request asks for the state
// and for the stream again.
func TestAWakeThatFails(t *testing.T) {
	runStates(t, `
states.wake()
got.push(await asks())
await reply('changes', new TypeError('unreachable'))
await reply('state', new TypeError('unreachable'))
for (const failure of [refused(), response('cut', lasting), new TypeError('unreachable')]) {
	const next = failing()
	got.push(await asks())
	await reply('state', failure)
	await reply('changes', new TypeError('unreachable'))
	got.push(await next)
}
const stream = changes(), last = seen()
got.push(await asks())
await reply('changes', stream.response)
await reply('state', response('one', lasting))
await stream.say('1')
got.push(await last, await seen())
`, "changes, state?have=0&told=0",
		"changes, state?have=0&told=0", "refused: the server answered 500 to /.b",
		"changes, state?have=0&told=0", "refused: the server sent a content that",
		"changes, state?have=0&told=0", "refused: unreachable",
		"changes, state?have=0&told=0", "1 a b", "1 a b")
}

// A refused stream is not requested again with each state.
func TestARefusedStreamIsLeftAlone(t *testing.T) {
	runStates(t, `
states.wake()
got.push(await asks())
await reply('changes', refused())
await reply('state', response('one', 0))
const first = seen()
got.push(await asks())
await reply('state', same(0))
got.push(await first, await asks())
`, "changes, state?have=0&told=0", "state?have=1&told=0", "1 a b", "")
}

// A damaged answer changes nothing: the previous state stays whole. It is not used for
// answers, because it is not the newest.
func TestNothingOfADamagedStateIsTaken(t *testing.T) {
	runStates(t, `
const stream = await wake()
await reply('state', response('one', lasting))
got.push(await seen())
await stream.say('2')
const second = failing()
await reply('state', response('cut', lasting)) // the load that the line started; the next is the one of the request
await reply('state', response('cut', lasting))
got.push(await second, await asks())
const third = seen()
await reply('state', response('two', lasting))
got.push(await third, await asks())
// Revision 2 had no /b, so its content is gone. The server believes that the worker still has
// it, so the worker requests that blob alone.
await stream.say('3')
await asks()
await reply('state', response('three', lasting))
const fourth = seen()
got.push(await asks())
await reply('blob', new Response('B'))
got.push(await fourth, await asks())
`, "1 a b", "refused: the server sent a content that", "changes, state?have=0&told=0, state?have=1&told=2, state?have=1&told=2", "2 a c", "state?have=1&told=2", "blob/b", "3 a B", "")
}

// If two answers cross, the newer one stays, whole.
func TestLoadsThatCross(t *testing.T) {
	runStates(t, `
const stream = await wake()
await reply('state', response('one', lasting))
await stream.say('2')
await stream.say('3')
got.push(await asks())
await reply('state?have=1&told=3', response('three from one', lasting))
got.push(await seen())
await reply('state?have=1&told=2', response('two', lasting))
got.push(await seen(), await asks())
`, "changes, state?have=0&told=0, state?have=1&told=2, state?have=1&told=3", "3 a d", "3 a d", "")
	runStates(t, `
const stream = await wake()
await reply('state', response('one', lasting))
await stream.say('2')
await stream.say('3')
await asks()
// Revision 3 was packed for a worker with revision 1. The content of /a is in revision 2, too.
await reply('state?have=1&told=2', response('two', lasting))
await reply('state?have=1&told=3', response('three from one', lasting))
got.push(await seen(), await asks())
`, "3 a d", "")
}
