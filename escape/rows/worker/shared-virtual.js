// A shared worker whose script is a file of the sandbox.
import { shared, wait } from './wait.shared.js'

export default (t) => wait(t, new SharedWorker(`${t.file('virtual.inner.js')}?${new URLSearchParams({ source: shared(t) })}`))
