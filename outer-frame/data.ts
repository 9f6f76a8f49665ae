// What the server wrote into the page.

export interface Data {
  readonly inner: string
  readonly sandbox: string | null
  readonly embedders: readonly string[]
  readonly events: string
  readonly reports: string
  readonly executions: string
  readonly resultLimit: number // bytes
}

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

export const data = JSON.parse(element('data').textContent ?? '') as Data
