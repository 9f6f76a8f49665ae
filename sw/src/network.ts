// Requests to other origins. They leave the worker from this file only.
import type { AnswerCode } from '../../protocol/protocol.gen'
import { dropsHeaders } from './config'
import { loadsOpaque, withCORS, withoutCORS } from './cors'
import { decide, requestType, type Verdict } from './decide'
import type { State } from './state.gen'
import { programOf, states } from './states'
import { record, warn } from './verdicts'

// Response headers that tell the browser something about a page or a connection. A subresource
// of a sandbox must not carry them.
const dropped: readonly string[] = [
  'clear-site-data', 'connection-allowlist', 'connection-allowlist-report-only', 'content-encoding', 'content-length',
  'content-security-policy', 'content-security-policy-report-only', 'link', 'nel', 'origin-agent-cluster', 'permissions-policy',
  'refresh', 'report-to', 'reporting-endpoints', 'service-worker-allowed', 'set-cookie', 'sourcemap', 'speculation-rules',
  'x-dns-prefetch-control', 'x-sourcemap',
]

// judgesAnswers: Firefox (153) checks the page's policy again when the worker answers. For a
// constructed response it checks the URL of the worker's script, so a page whose connect-src
// lacks 'self' would get none. A network response keeps its own URL.
const judgesAnswers = navigator.userAgent.includes('Firefox/')

export async function network(event: FetchEvent): Promise<Response> {
  const request = event.request
  const state = await states.recent()
  const verdict = decide(programOf(state), {
    method: request.method, url: request.url, type: requestType(request.destination, request.mode),
  })
  if (verdict.action === 'block') return blocked(event, state, verdict)

  const opaque = loadsOpaque(request)
  let response: Response
  try {
    response = await fetch(request.url, opaque ? withoutCORS(request) : await withCORS(request))
  } catch (error) {
    record(event, { ...verdict, code: 'network-error' satisfies AnswerCode, virtual: false, status: 0, revision: state.revision, reason: unanswered(request, error) })
    return Response.error()
  }
  if (response.type === 'opaqueredirect') {
    return blocked(event, state, {
      ...verdict, action: 'block', code: 'redirect' satisfies AnswerCode, reason: 'the allowed request was redirected, and where to cannot be seen here; redirects are refused',
    })
  }
  record(event, { ...verdict, virtual: false, status: response.status, opaque, revision: state.revision })
  // The worker cannot read an opaque response, so it cannot construct another one from it.
  if (opaque || (judgesAnswers && state.keepsAnswers)) return response
  const headers = new Headers(response.headers)
  if (dropsHeaders) for (const name of dropped) headers.delete(name)
  const empty = response.status === 204 || response.status === 205 || response.status === 304
  return new Response(empty ? null : response.body, { status: response.status, statusText: response.statusText, headers })
}

// unanswered says why no response came, as far as the worker can know. Connection-Allowlist
// refuses a redirect before this worker sees it. fetch() then throws the same error as for a
// dead host. No event, no report, and no timing of the request tells them apart (Chromium
// 156).
function unanswered(request: Request, error: unknown): string {
  if (request.signal.aborted) return 'allowed, but the page gave it up before an answer came'
  const text = error instanceof Error ? error.message : String(error)
  const headerless = loadsOpaque(request) ? '' : ' it answered without CORS headers, or'
  return `allowed, but no answer that the page may have: ${text}. Either the host cannot be reached, or${headerless} with a redirect, which is refused`
}

function blocked(event: FetchEvent, state: State, verdict: Verdict): Response {
  record(event, { ...verdict, virtual: false, status: 0, revision: state.revision })
  event.waitUntil(warn(event, verdict))
  return Response.error()
}
