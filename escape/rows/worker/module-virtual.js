// A module worker, from a file of the sandbox, that imports a module of the canary dynamically.
import { wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(`${t.file('module-virtual.inner.js')}?${new URLSearchParams({ url: t.http('module.mjs') })}`, { type: 'module' }))
