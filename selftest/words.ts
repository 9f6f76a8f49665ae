// Words and icons for the results.
import type { Icon } from '../host-page/dom'
import { data } from './data'
import type { Outcome, Row, Verdict } from './shapes.gen'

interface Words {
  readonly word: string
  readonly icon: Icon
  // meaning is what a whole list of techniques with this outcome shows.
  readonly meaning: string
}

export const outcomes: Readonly<Record<Outcome, Words>> = {
  escaped: { word: 'Escaped', icon: 'error', meaning: 'These got out from under glass. That must not happen. Please report it with the names of these techniques and the version of your browser.' },
  'known-open': { word: 'Known to be open', icon: 'warn', meaning: 'These got out from under glass. In this browser\u2019s engine that is known, and no server can prevent it. The threat model (docs/threat-model.md) explains each.' },
  contained: { word: 'Contained', icon: 'allow', meaning: 'Each of these gets out of a plain page in this browser, and did not get out from under glass.' },
  unproven: { word: 'Proves nothing', icon: 'info', meaning: 'These did not get out without glass either, because this browser lacks the feature or blocks it. They do not count as contained.' },
  'not-run': { word: 'Not run', icon: 'debug', meaning: 'These were left out, or did not finish. Each row has the reason.' },
}

export const order: readonly Outcome[] = ['escaped', 'known-open', 'contained', 'unproven', 'not-run']

export const titles: Readonly<Record<Verdict, string>> = { contained: 'Contained', 'known-open': 'Known to be open', escaped: 'Something got out', unmeasured: 'Not measured' }

const kinds: Readonly<Record<string, string>> = { H: 'HTTP request', W: 'WebSocket', S: 'TLS hello', C: 'connection', U: 'datagram' }

// arrived names what the canary saw.
export function arrived(seen: string): string {
  return Array.from(seen, (letter) => kinds[letter] ?? letter).join(', ')
}

// underGlass is the text of a row's cell under that heading.
export function underGlass(row: Row): string {
  return row.outcome === 'not-run' ? '' : arrived(row.seen) || 'nothing'
}

export function withoutGlass(row: Row): string {
  return row.outcome === 'not-run' && row.control === '' ? '' : arrived(row.control) || 'nothing'
}

// note is the remark on one row beyond its outcome.
export function note(row: Row): string {
  if (row.why === '') return row.detail
  return [data.whys[row.why] ?? row.why, row.detail].filter((text) => text !== '').join(' ')
}

export const containments: Readonly<Record<string, string>> = {
  allowlist: 'allowlist: the browser enforces Connection-Allowlist, which does not cover WebRTC and preconnect hints',
  csp: 'CSP only: this browser has no Connection-Allowlist',
  audit: 'audit: this policy contains nothing',
  '': 'not known',
}
