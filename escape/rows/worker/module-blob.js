// A module worker that imports a module of the canary statically.
import { failed } from './wait.shared.js'

export default (t) => failed(new Worker(t.module(`import '${t.http('module.mjs')}'; throw new Error('over')`), { type: 'module' }))
