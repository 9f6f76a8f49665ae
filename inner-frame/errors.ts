// Relaying uncaught errors and policy violations.
import type { PageReport } from '../protocol/protocol.gen'
import { cut, text } from './text'

const stackLength = 8_192 // characters

export function watchErrors(report: (make: () => PageReport) => void): void {
  addEventListener('error', (event) => {
    // Elements that fail to load fire plain events, which do not bubble to here.
    if (!(event instanceof ErrorEvent)) return
    report(() => ({
      kind: 'error', text: cut(event.message), stack: stackOf(event.error),
      url: cut(event.filename), line: event.lineno, col: event.colno,
    }))
  })
  addEventListener('unhandledrejection', (event) => {
    report(() => ({ kind: 'error', text: `Unhandled rejection: ${text([event.reason])}`, stack: stackOf(event.reason) }))
  })
  addEventListener('securitypolicyviolation', (event) => {
    report(() => ({
      kind: 'violation', target: cut(event.blockedURI), directive: event.effectiveDirective,
      url: cut(event.sourceFile), line: event.lineNumber, col: event.columnNumber,
    }))
  })
}

export function stackOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? cut(error.stack, stackLength) : ''
  } catch {
    return ''
  }
}
