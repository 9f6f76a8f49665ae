// A worker whose script is a blob.
import { dedicated, wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(t.module(dedicated(t))))
