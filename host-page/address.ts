// A URL on one line. The host stands out, and what does not fit is cut in the
// middle: the end of a host says whom it belongs to, so cutting there would let
// api.example.com.evil.test pass for api.example.com.
import { make } from './dom'
import { oneLine } from './text'

const hostEnd = 24 // characters that stay to the last
const pathEnd = 12
const worthCutting = 3 // fewer save nothing: the sign of the cut takes room itself

export function address(url: string): HTMLElement {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.host === '') return make('span', { class: 'address' }, ...cut('path', oneLine(url), pathEnd))
  // https goes without saying; any other scheme is worth its room.
  const scheme = parsed.protocol === 'https:' ? [] : [make('span', { class: 'scheme' }, `${parsed.protocol}//`)]
  // Whatever comes before the host, such as a password, is shown in the details.
  const rest = parsed.pathname + parsed.search + parsed.hash
  return make('span', { class: 'address' }, ...scheme, ...cut('host', oneLine(parsed.host), hostEnd), ...cut('path', oneLine(rest), pathEnd))
}

function cut(what: 'host' | 'path', text: string, end: number): HTMLElement[] {
  const letters = Array.from(text)
  const at = letters.length < end + worthCutting ? 0 : letters.length - end
  return [make('span', { class: `${what} start` }, letters.slice(0, at).join('')), make('span', { class: `${what} end` }, letters.slice(at).join(''))]
}
