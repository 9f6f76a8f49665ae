// How an allowed request is made. It is described afresh and never passed through: in
// WebKit the redirects of a passed request are checked against nothing.
import { requestType } from './decide'
import type { Type } from './program.gen'

// opaqueTypes are what a page may show or run without reading it: an opaque filtered
// response (Fetch, section 2.2.6) is enough.
const opaqueTypes: ReadonlySet<Type | undefined> = new Set<Type>(['image', 'media', 'script', ...(stylesAreHeld() ? ['style' as const] : [])])

// stylesAreHeld: what an opaque style sheet refers to comes to this worker in Chromium
// and Firefox, and goes past it in WebKit (GTK 2.50). An engine that nobody has
// tried counts as WebKit.
function stylesAreHeld(): boolean {
  return /(?:Chrome|Firefox)\//.test(navigator.userAgent)
}

// loadsOpaque: an element or a style sheet asks without crossorigin. The page's own
// fetch() may ask in mode no-cors too; it gets CORS, so that its redirects are refused.
export function loadsOpaque(request: Request): boolean {
  return request.mode === 'no-cors' && opaqueTypes.has(requestType(request.destination, request.mode))
}

// withoutCORS follows redirects: in mode no-cors a fetch that does not is an error from
// the start. Each hop is held to the policy of this script: Connection-Allowlist refuses
// it, and connect-src lets it go to the hosts that the policy opens.
export function withoutCORS(request: Request): RequestInit {
  return { mode: 'no-cors', credentials: 'omit', redirect: 'follow', referrerPolicy: 'no-referrer', signal: request.signal }
}

// withCORS follows no redirect. It is 'manual', not 'error', because only then can a
// redirect be told from a dead server.
export async function withCORS(request: Request): Promise<RequestInit> {
  const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await request.arrayBuffer()
  return {
    method: request.method,
    headers: request.headers,
    ...(body === undefined || body.byteLength === 0 ? {} : { body }),
    mode: 'cors',
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    signal: request.signal,
  }
}
