// What an MCP host receives about a refusal: the message that MCPJam's inspector reads,
// with the fields of a SecurityPolicyViolationEvent (CSP Level 3, section 5.1).
// Elsewhere a script in the untrusted view sends it. Here it comes from the log, so no
// view can hide one.
import type { Event, Source } from '../protocol/protocol.gen'

export const violationType = 'mcp-apps:csp-violation'

interface Violation {
  readonly type: typeof violationType
  readonly directive: string
  readonly blockedUri: string
  // null if unknown, like the two numbers.
  readonly sourceFile: string | null
  readonly lineNumber: number | null
  readonly columnNumber: number | null
  readonly effectiveDirective: string
  // '' for a policy other than that of the app's document.
  readonly originalPolicy: string
  readonly disposition: 'enforce'
  readonly timestamp: number // milliseconds since 1970

  // The following fields are Bellglass's own. source says who reported it: 'page' is
  // untrusted code.
  readonly source: Source
  readonly reason: string
  readonly change: Readonly<Record<string, readonly string[]>> | null
  readonly advice: string
}

// violationOf returns the message for an event, or undefined if the event is not a
// refusal by the app's policy. policy is that of the app's document.
export function violationOf(event: Event, policy: string): Violation | undefined {
  if ((event.type !== 'verdict' && event.type !== 'violation') || event.advice === undefined) return undefined
  const { url, line, col } = event.type === 'violation' ? event.place : {}
  const directive = event.directive ?? ''
  return {
    type: violationType,
    directive,
    blockedUri: event.type === 'violation' ? event.target : event.url,
    sourceFile: url || null,
    lineNumber: line || null,
    columnNumber: col || null,
    effectiveDirective: directive,
    // The frame around the app has another policy.
    originalPolicy: event.source === 'outer' ? '' : policy,
    disposition: 'enforce',
    timestamp: Date.parse(event.time),
    source: event.source,
    reason: event.reason,
    change: event.change ?? null,
    advice: event.advice,
  }
}
