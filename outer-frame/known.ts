// What the page reports, cut down to what the protocol knows. Page code can
// forge a report of any shape and size; what is kept of it here is bounded.
import { levels, type Level, type PageReport, type Place } from '../protocol/protocol.gen'

// A little more than the client script cuts at, with its note of how much it cut.
const textLength = 8_300 // characters

// known returns the report with nothing else in it, or undefined for what is none.
export function known(report: unknown): PageReport | undefined {
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
    default:
      return undefined
  }
}

function isLevel(value: unknown): value is Level {
  return (levels as readonly unknown[]).includes(value)
}

// length is how many characters of the page's a report holds.
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
