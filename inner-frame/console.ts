// Relaying the console.
import { levels, type PageReport } from '../protocol/protocol.gen'
import { callerOf } from './caller'
import { text } from './text'

// watchConsole wraps the five console methods that carry a message. Each keeps its
// effect.
export function watchConsole(report: (make: () => PageReport) => void): void {
  for (const level of levels) {
    const original = console[level].bind(console)
    const relayed = (...values: unknown[]): void => {
      original(...values)
      report(() => ({ kind: 'console', level, text: text(values), ...callerOf(relayed) }))
    }
    console[level] = relayed
  }
}
