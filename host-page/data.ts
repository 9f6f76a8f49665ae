// The data that the server wrote into the page, and the page's own elements.
import type { Data } from './data.gen'
import { oneLine } from './text'

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

// data is complete from the start, or once somebody has signed in.
export let data = JSON.parse(element('data').textContent ?? '') as Data

export function fill(fetched: Data): void {
  data = fetched
  document.title = `${oneLine(data.name)} · Bellglass`
}
