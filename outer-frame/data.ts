// What the server wrote into the page.
import type { Containment } from '../protocol/protocol.gen'

export interface Data {
  readonly inner: string
  // Which of the sandboxes that have had this id the page is for.
  readonly incarnation: string
  readonly sandbox: string | null
  // What the policy demanded when the page was made.
  readonly enough: readonly Containment[]
  readonly audit: boolean
  readonly embedders: readonly string[]
  readonly events: string
  readonly reports: string
  readonly executions: string
  // Where an MCP App is handed in; '' if this frame is no proxy.
  readonly app: string
  // The origin of the MCP host above whose app is here already; '' if there is none.
  readonly host: string
  // The Content-Security-Policy of that app's document.
  readonly policy: string
  // Where calls of tools go; '' if this frame takes none.
  readonly tools: string
  readonly resultLimit: number // bytes
}

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

const page = JSON.parse(element('data').textContent ?? '') as Data

// own makes the URL of an address that has the page's token in it, which may go to no
// other origin than the page's.
function own(path: string): string {
  const url = new URL(location.origin + path)
  if (url.origin !== location.origin) throw new Error(`${url.pathname} leads away from the outer frame's origin`)
  return url.href
}

export const data: Data = { ...page, events: own(page.events), reports: own(page.reports), executions: own(page.executions), app: page.app === '' ? '' : own(page.app), tools: page.tools === '' ? '' : own(page.tools) }
