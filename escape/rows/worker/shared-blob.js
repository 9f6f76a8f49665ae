// A shared worker whose script is a blob.
import { shared, wait } from './wait.shared.js'

export default (t) => wait(t, new SharedWorker(t.module(shared(t))))
