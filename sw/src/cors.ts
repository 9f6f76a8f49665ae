// How an allowed request is made. The worker builds a new request and never passes the
// original through: WebKit checks the redirects of a passed request against nothing.
import { requestType } from './decide'
import type { Type } from './program.gen'

// opaqueTypes are the types that a page may show or run without reading them. An opaque
// filtered response (Fetch, section 2.2.6) is enough for these.
const opaqueTypes: ReadonlySet<Type | undefined> = new Set<Type>(['image', 'media', 'script', ...(stylesAreHeld() ? ['style' as const] : [])])

// stylesAreHeld reports whether the worker sees the requests that an opaque style sheet
// causes. It does in Chromium and Firefox; in WebKit (GTK 2.50) they bypass it. Untested
// engines are treated like WebKit.
function stylesAreHeld(): boolean {
  return /(?:Chrome|Firefox)\//.test(navigator.userAgent)
}

// loadsOpaque reports whether an element or a style sheet without crossorigin made the
// request. The page's own fetch() may also use mode no-cors. It gets CORS, so that its
// redirects are rejected.
export function loadsOpaque(request: Request): boolean {
  return request.mode === 'no-cors' && opaqueTypes.has(requestType(request.destination, request.mode))
}

// withoutCORS follows redirects: in mode no-cors, a fetch with another redirect mode fails
// from the start. The policy of this script applies to each hop. Connection-Allowlist refuses
// every redirect; connect-src allows those to hosts that the policy opens.
export function withoutCORS(request: Request): RequestInit {
  return { mode: 'no-cors', credentials: 'omit', redirect: 'follow', referrerPolicy: 'no-referrer', signal: request.signal }
}

// withCORS follows no redirect. It uses 'manual' instead of 'error', because only then can the
// worker tell a redirect from a dead server.
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
