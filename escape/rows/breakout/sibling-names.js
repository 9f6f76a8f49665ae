// The origins of other sandboxes, under names that lead to the same server; an answer of any kind is a breach.
import { ask, id, sibling } from './around.shared.js'

export default (t) => ask(t, [
  `${sibling}/`, `${sibling}/.bellglass/client.js`, `http://x.${location.host}/`, `http://${id.toUpperCase()}.x.localhost:${location.port}/`, `http://${location.hostname}.:${location.port}/`,
])
