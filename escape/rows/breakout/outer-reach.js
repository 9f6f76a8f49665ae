// Outer-frame tampering: what a script can read or write of the frames above it.
// @control: none, they are of other origins
import { breach } from './around.shared.js'

export default async (t) => {
  const reached = []
  const reads = {
    document: (above) => above.document.title, location: (above) => above.location.href, name: (above) => above.name,
    frame: () => frameElement.id, storage: (above) => above.localStorage.length, function: (above) => above.eval('1'),
    sandbox: () => frameElement.removeAttribute('sandbox'), define: (above) => Object.defineProperty(above, 'x', { value: 1 }),
    prototype: (above) => Object.setPrototypeOf(above, { x: 1 }), sibling: (above) => above.frames[0] !== window && above.frames[0].document.title,
  }
  for (const [name, read] of Object.entries(reads)) {
    for (const above of [parent, top]) {
      try {
        if (read(above) !== false) reached.push(name)
      } catch {
        // Refused.
      }
    }
  }
  if (reached.length > 0) await breach(t, `reached ${reached} of the pages above`)
}
