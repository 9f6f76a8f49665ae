// A worker whose script is a file of the sandbox.
import { dedicated, wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(`${t.file('virtual.inner.js')}?${new URLSearchParams({ source: dedicated(t) })}`))
