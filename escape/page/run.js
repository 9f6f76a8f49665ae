// Runs the rows of this page, all at once, and tells the canary's allowed host
// how each ended. Nothing that is said here decides whether anything got out.
import batch from '/batch.js'
import { kit } from '/kit.js'

// How long a row may wait for an event, which the browser may never send, in
// milliseconds. A row may export another patience.
const usual = 5_000

async function run(row) {
  const { default: attempt, patience = usual } = await import(row.module)
  let timer
  const late = new Promise((resolve) => { timer = setTimeout(resolve, patience, 'gave up waiting') })
  try {
    return { name: row.name, end: (await Promise.race([attempt(kit(row, batch)), late])) === 'gave up waiting' ? 'late' : 'done', text: '' }
  } catch (error) {
    return { name: row.name, end: 'threw', text: String(error) }
  } finally {
    clearTimeout(timer)
  }
}

// A nested frame that shows this page, because a row wanted some page, has nothing
// to run: the view's parent is the outer frame, of another origin.
function isView() {
  try {
    return parent.location.origin !== location.origin
  } catch {
    return true
  }
}

// Not with an await of the module's own: in WebKitGTK 2.50.6 a module that still waits
// when its document has gone was seen to keep the process busy.
async function main() {
  const ends = await Promise.all(batch.rows.map(run))
  // This request is repeated until it is answered, since a row may take the worker down while it
  // goes. In serviceworker/unregister-race WebKitGTK 2.50.6 never settled it in 5 of 75 rounds,
  // and Firefox 153 rejects it now and then.
  for (;;) {
    const limit = new Promise((resolve) => setTimeout(resolve, usual))
    const answered = fetch(`${batch.signal}/done`, { method: 'POST', body: JSON.stringify(ends), signal: AbortSignal.timeout(usual) })
    if (await answered.then(() => true, () => limit)) return
  }
}

// The client script keeps from beginning what would leave the sandbox. Code that means to
// leave sees to it that it does not.
Event.prototype.preventDefault = () => {}

if (isView()) main()
