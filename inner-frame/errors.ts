// Relaying uncaught errors and policy violations.
import type { PageReport } from '../protocol/protocol.gen'
import { cut, text } from './text'

const stackLength = 8_192 // characters

export type Report = (make: () => PageReport) => void

export function watchErrors(report: Report): void {
  addEventListener('error', (event) => {
    // Elements that fail to load fire plain events, which do not bubble to the window.
    if (!(event instanceof ErrorEvent)) return
    report(() => ({
      kind: 'error', text: cut(event.message), stack: stackOf(event.error),
      url: cut(event.filename), line: event.lineno, col: event.colno,
    }))
  })
}

export function watchRejections(report: Report): void {
  addEventListener('unhandledrejection', (event) => {
    report(() => ({ kind: 'error', text: `Unhandled rejection: ${text([event.reason])}`, stack: stackOf(event.reason) }))
  })
}

// watchViolations relays what the browser's policies refuse. The browser reports
// Content-Security-Policy violations to the server as well, which keeps one of the two.
// It reports Connection-Allowlist violations nowhere else.
export function watchViolations(report: Report): void {
  addEventListener('securitypolicyviolation', (event) => {
    report(() => ({
      kind: 'violation', target: cut(event.blockedURI), directive: event.effectiveDirective,
      url: cut(event.sourceFile), line: event.lineNumber, col: event.columnNumber,
    }))
  })
  if (typeof ReportingObserver === 'undefined') return
  const observer = new ReportingObserver((reports) => {
    for (const { body } of reports) {
      const refused = body as { readonly connection?: unknown } | null
      report(() => ({ kind: 'violation', target: cut(refused?.connection), directive: 'connection-allowlist' }))
    }
  }, { types: ['connection-allowlist'], buffered: true })
  observer.observe()
}

export function stackOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? cut(error.stack, stackLength) : ''
  } catch {
    return ''
  }
}
