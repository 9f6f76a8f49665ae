// What the server wrote into the page, and the page's own elements.

export interface Data {
  readonly name: string
  readonly sandboxUrl: string
  readonly outerUrl: string
  readonly incarnation: string
  readonly allow: string
  readonly grants: readonly string[]
  readonly policy: string
  readonly version: string
  readonly selfTest: boolean
}

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

export const data = JSON.parse(element('data').textContent ?? '') as Data
