// A URL on one line. The host stands out, and a long URL is cut in the middle. The end
// of a host says who owns it, so cutting there would make api.example.com.evil.test
// look like api.example.com.
import { make } from './dom'
import { oneLine } from './text'

const hostEnd = 24 // characters at the end that are never cut
const pathEnd = 12
const worthCutting = 3 // cutting fewer saves nothing, because the ellipsis takes room itself

export function address(url: string): HTMLElement {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.host === '') return make('span', { class: 'address' }, ...cut('path', oneLine(url), pathEnd))
  // https is assumed; any other scheme is shown.
  const scheme = parsed.protocol === 'https:' ? [] : [make('span', { class: 'scheme' }, `${parsed.protocol}//`)]
  // Anything before the host, such as a password, is shown in the details.
  const rest = parsed.pathname + parsed.search + parsed.hash
  return make('span', { class: 'address' }, ...scheme, ...cut('host', oneLine(parsed.host), hostEnd), ...cut('path', oneLine(rest), pathEnd))
}

function cut(what: 'host' | 'path', text: string, end: number): HTMLElement[] {
  const letters = Array.from(text)
  const at = letters.length < end + worthCutting ? 0 : letters.length - end
  return [make('span', { class: `${what} start` }, letters.slice(0, at).join('')), make('span', { class: `${what} end` }, letters.slice(at).join(''))]
}
