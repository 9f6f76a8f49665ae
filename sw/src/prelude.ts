// Inserts the prelude before a worker's script.
import { config } from './config'

// begins reports whether the request is for the script that a dedicated or shared worker
// starts with. In some browsers the imports of a module worker have the same destination, but
// another mode (HTML, "fetch a single module script").
export function begins(request: Request, type: string): boolean {
  return (request.destination === 'worker' || request.destination === 'sharedworker') && request.mode === 'same-origin' && type.startsWith('text/javascript')
}

// Only the start of a script is searched: a directive precedes all statements.
const window = 4096 // bytes

const strict = '"use strict";'

// withPrelude puts the prelude on the script's first line, so that line numbers stay the same.
// If the script begins with "use strict", the prelude does too, because the directive counts
// only at the start. A script with a hashbang is left unchanged: nothing may precede the
// hashbang.
export function withPrelude(script: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder().decode(script.subarray(0, window))
  if (start.startsWith('#!')) return script
  const prelude = new TextEncoder().encode((isStrict(start) ? strict : '') + config.prelude)
  const out = new Uint8Array(prelude.length + script.length)
  out.set(prelude, 0)
  out.set(script, prelude.length)
  return out
}

// isStrict looks for the directive after white space, comments, and other directives.
function isStrict(text: string): boolean {
  const skipped = /^(?:\s|\/\/.*|\/\*[^]*?\*\/|;|"(?!use strict")[^"\\\n]*"|'(?!use strict')[^'\\\n]*')*/.exec(text)?.[0].length ?? 0
  return /^["']use strict["']/.test(text.slice(skipped))
}
