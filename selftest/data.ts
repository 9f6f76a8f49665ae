// The data that the server wrote into the page, and the page's own elements.
import type { Data, Technique } from './shapes.gen'

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

export const data = JSON.parse(element('data').textContent ?? '') as Data

export const techniques: ReadonlyMap<string, Technique> = new Map(data.techniques.map((technique) => [technique.name, technique]))

// families groups the names of techniques by family.
export function families(names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  for (const name of names) {
    const family = name.split('/')[0] ?? ''
    all.set(family, [...(all.get(family) ?? []), name])
  }
  return all
}
