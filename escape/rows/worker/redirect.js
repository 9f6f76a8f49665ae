// A worker whose script is the allowed host's, which redirects to the canary.
// @control: none, a worker's script must be of the page's own origin
import { failed } from './wait.shared.js'

export default (t) => failed(new Worker(t.redirect(t.http('script.js'))))
