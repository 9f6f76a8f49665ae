// Runs the rows of this page, all at once, and tells the canary's allowed host
// how each ended. Nothing that is said here decides whether anything got out.
import batch from '/batch.js'
import { kit } from '/kit.js'

const patience = 5_000 // milliseconds; a row that waits for an event the browser never sends

async function run(row) {
  const { default: attempt } = await import(row.module)
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

if (isView()) {
  const ends = await Promise.all(batch.rows.map(run))
  await fetch(`${batch.signal}/done`, { method: 'POST', body: JSON.stringify(ends) })
}
