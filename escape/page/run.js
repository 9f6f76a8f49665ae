// Runs all rows of this page at once, and reports to the canary's allowed host how each
// ended. These reports do not decide whether anything got out.
import batch from '/batch.js'
import { kit } from '/kit.js'

// How long a row may wait for an event that the browser may never send, in
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

// A nested frame may show this page because a row wanted any page. It runs nothing:
// only the view's parent, the outer frame, is of another origin.
function isView() {
  try {
    return parent.location.origin !== location.origin
  } catch {
    return true
  }
}

// No top-level await: in WebKitGTK 2.50.6 a module that still waits when its document
// is gone has kept the process busy.
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

// The client script keeps links and forms from starting what would leave the sandbox.
// Hostile code would disable that, so this page does.
Event.prototype.preventDefault = () => {}

if (isView()) main()
