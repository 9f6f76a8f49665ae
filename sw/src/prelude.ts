// Putting the prelude ahead of a worker's script.
import { config } from './config'

// begins reports whether the request is for the script with which a dedicated or shared
// worker begins. What a module worker imports has the same destination in some
// browsers, and another mode (HTML, "fetch a single module script").
export function begins(request: Request, type: string): boolean {
  return (request.destination === 'worker' || request.destination === 'sharedworker') && request.mode === 'same-origin' && type.startsWith('text/javascript')
}

// Only the start of a script is looked at: a directive stands before all statements.
const window = 4096 // bytes

const strict = '"use strict";'

// withPrelude puts the prelude on the script's first line, so that line numbers stay. A
// script that begins with "use strict" must begin with it, or it would mean something
// else. Nothing may stand before a hashbang.
export function withPrelude(script: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder().decode(script.subarray(0, window))
  if (start.startsWith('#!')) return script
  const prelude = new TextEncoder().encode((isStrict(start) ? strict : '') + config.prelude)
  const out = new Uint8Array(prelude.length + script.length)
  out.set(prelude, 0)
  out.set(script, prelude.length)
  return out
}

// isStrict looks for the directive behind white space, comments and other directives.
function isStrict(text: string): boolean {
  const skipped = /^(?:\s|\/\/.*|\/\*[^]*?\*\/|;|"(?!use strict")[^"\\\n]*"|'(?!use strict')[^'\\\n]*')*/.exec(text)?.[0].length ?? 0
  return /^["']use strict["']/.test(text.slice(skipped))
}
