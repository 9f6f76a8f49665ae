// Reducing the page's reports to what the protocol defines. Page code can forge a
// report of any shape and size; what is kept here is bounded.
import { levels, type Level, type PageReport, type Place } from '../protocol/protocol.gen'

// Slightly more than the client script's limit, including its note of what it cut.
const textLength = 8_300 // characters

// sanitize returns a copy of the report with only the known fields, or undefined if it
// is not a report.
export function sanitize(report: unknown): PageReport | undefined {
  if (typeof report !== 'object' || report === null) return undefined
  const of = report as Readonly<Record<string, unknown>>
  const place: Place = { url: text(of['url']) ?? '', line: whole(of['line']), col: whole(of['col']) }
  switch (of['kind']) {
    case 'console': {
      const [level, said] = [of['level'], text(of['text'])]
      if (!isLevel(level) || said === undefined) return undefined
      return { kind: 'console', level, text: said, ...place }
    }
    case 'error': {
      const said = text(of['text'])
      return said === undefined ? undefined : { kind: 'error', text: said, stack: text(of['stack']) ?? '', ...place }
    }
    case 'violation': {
      const [target, directive] = [text(of['target']), text(of['directive'])]
      return target === undefined || directive === undefined ? undefined : { kind: 'violation', target, directive, ...place }
    }
    case 'invalidate': {
      const path = text(of['path'])
      return path === undefined ? undefined : { kind: 'invalidate', path }
    }
    default:
      return undefined
  }
}

function isLevel(value: unknown): value is Level {
  return (levels as readonly unknown[]).includes(value)
}

// length returns how many characters of the page's a report has.
export function length(report: PageReport): number {
  let n = 0
  for (const value of Object.values(report)) if (typeof value === 'string') n += value.length
  return n
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, textLength) : undefined
}

function whole(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : 0
}
