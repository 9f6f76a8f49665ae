// A shared worker whose script is a data: address. WebKit lets it inherit no policy.
import { shared, wait } from './wait.shared.js'

export default (t) => wait(t, new SharedWorker(`data:text/javascript,${encodeURIComponent(shared(t))}`))
