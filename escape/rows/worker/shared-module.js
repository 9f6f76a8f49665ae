// A shared module worker that imports statically what the canary does not call a script, so that it fails either way.
import { failed } from './wait.shared.js'

export default (t) => failed(new SharedWorker(t.module(`import '${t.http('module.txt')}'`), { type: 'module' }))
