package sw_test

import "testing"

// After a page has named a revision, nothing is answered from an older one, although the worker has
// not heard of the revision. That is one request, which begins at once. A revision that does not
// exist costs the same.
func TestKnownRevision(t *testing.T) {
	runStates(t, `
const stream = await wake()
await reply('state', response('one', lasting))
await asks()
states.know(1)
got.push(await seen(), await asks())
states.know(2)
got.push(await asks())
const second = seen()
got.push(await settled(second))
await reply('state', response('two', lasting))
got.push(await second, await seen(), await asks())
await stream.say('2')
got.push(await asks())
await reply('state', same(lasting))
states.know(Infinity)
states.know(NaN)
got.push(await asks())
states.know(99)
got.push(await asks())
await reply('state', same(lasting))
got.push(await seen(), await asks())
`, "1 a b", "", "state?have=1&told=1", false, "2 a c", "2 a c", "", "state?have=2&told=2", "", "state?have=2&told=2", "2 a c", "")
	runStates(t, `
// A page names a revision during a load, whose answer may be older. The next load fails.
const stream = await wake()
await reply('state', response('one', lasting))
await asks()
states.know(1)
await stream.say('2')
states.know(3)
const third = failing()
got.push(await asks())
await reply('state', response('two', lasting))
got.push(await asks())
await reply('state', refused())
got.push(await third)
const again = seen()
got.push(await asks())
await reply('state', response('three', lasting))
await asks()
await reply('blob', new Response('B'))
got.push(await again)
`, "state?have=1&told=2", "state?have=2&told=2", "refused: the server answered 500 to /.b", "state?have=2&told=2", "3 a B")
}

// A navigation gets a revision from memory only if no navigation and no update in place has had it.
// Other requests get it.
func TestNavigationsAskTheServer(t *testing.T) {
	const first = `
const opened = async () => (await states.opening()).revision
const stream = await wake()
await reply('state', response('one', lasting))
await asks()
`
	runStates(t, first+`
got.push(await opened(), await asks())
const again = opened(), beside = opened(), third = opened()
got.push(await seen(), await asks())
await reply('state', same(lasting))
got.push(await again, await asks())
await reply('state', same(lasting))
got.push(await beside, await third, await asks())
// The stream has not named the next revision yet. Nothing waits for what it names by itself.
const reload = opened()
got.push(await asks())
await reply('state', response('two', lasting))
got.push(await reload, await asks())
await stream.say('2')
await reply('state', same(lasting))
await asks()
// A load has confirmed that revision, but a document has it already.
const fourth = opened()
got.push(await asks())
await reply('state', response('three', lasting))
got.push(await fourth, await asks())
`, 1.0, "", "1 a b", "state?have=1&told=1", 1.0, "state?have=1&told=1", 1.0, 1.0, "", "state?have=1&told=1", 2.0, "", "state?have=2&told=2", 3.0, "")
	runStates(t, first+`
// The stream names the next revision first.
got.push(await opened())
await stream.say('2')
const reload = opened()
got.push(await asks())
await reply('state', response('two', lasting))
got.push(await reload, await asks())
`, 1.0, "state?have=1&told=2", 2.0, "")
	for _, course := range []string{`
// The document names the revision during the load that the stream has caused.
await stream.say('2')
states.know(2)
await reply('state', response('two', lasting))
`, `
// It names it before the stream, or names a revision that does not exist.
states.know(99)
await reply('state', response('two', lasting))
await stream.say('2')
await reply('state', same(lasting))
`} {
		runStates(t, first+course+`
await asks()
got.push(await seen(), await asks())
const reload = opened()
got.push(await asks())
await reply('state', response('three', lasting))
got.push(await reload, await asks())
`, "2 a c", "", "state?have=2&told=2", 3.0, "")
	}
	runStates(t, first+`
// A revision that does not exist costs no later navigation anything.
states.know(99)
await reply('state', same(lasting))
await stream.say('2')
await reply('state', response('two', lasting))
await asks()
got.push(await opened(), await asks())
`, 2.0, "")
	runStates(t, `
// A document that has waited for its app has the app's revision, too.
const stream = await wake()
await reply('state', response('waiting', lasting))
const waiting = await states.opening()
await asks()
const app = states.after(waiting)
await reply('state?have=1&told=2&newer', response('app', 0))
got.push((await app)?.revision)
await stream.say('2')
void states.recent()
await reply('state', same(lasting))
await asks()
void states.opening()
got.push(await asks())
`, 2.0, "state?have=2&told=2")
}
