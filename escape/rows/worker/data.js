// A worker whose script is a data: address, and whose origin is opaque.
import { dedicated, wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(`data:text/javascript,${encodeURIComponent(dedicated(t))}`))
