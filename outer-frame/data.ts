// The data that the server wrote into the page.
import type { Data } from './data.gen'

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

const page = JSON.parse(element('data').textContent ?? '') as Data

// own returns the URL of a path that contains the page's token. The token must go to no other
// origin than the page's.
function own(path: string): string {
  const url = new URL(location.origin + path)
  if (url.origin !== location.origin) throw new Error(`${url.pathname} leads away from the outer frame's origin`)
  return url.href
}

export const data: Data = { ...page, events: own(page.events), reports: own(page.reports), executions: own(page.executions), app: page.app === '' ? '' : own(page.app), tools: page.tools === '' ? '' : own(page.tools) }
