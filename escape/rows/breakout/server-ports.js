// The server of the sandbox under its other names: the host page's, numbers, and the outer frame's; an answer of any kind is a breach.
import { ask, outer } from './around.shared.js'

export default (t) => ask(t, ['localhost', '127.0.0.1', '[::1]', '127.1', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]'].map((name) => `http://${name}:${location.port}/healthz`).concat(`${outer}/`))
