// Creating elements. Text is always set as text. Nothing on this page is parsed as
// HTML, because untrusted code wrote most of what it shows.

interface Properties {
  readonly class?: string
  readonly title?: string
  readonly data?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly attributes?: Readonly<Record<string, string>>
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  if (properties.class !== undefined) made.className = properties.class
  if (properties.title !== undefined) made.title = properties.title
  for (const [name, value] of Object.entries(properties.data ?? {})) made.dataset[name] = String(value ?? '')
  for (const [name, value] of Object.entries(properties.attributes ?? {})) made.setAttribute(name, value)
  made.append(...children)
  return made
}

export type Icon = 'allow' | 'block' | 'missing' | 'error' | 'warn' | 'info' | 'log' | 'debug' | 'down' | 'link' | 'open'

const svg = 'http://www.w3.org/2000/svg'

// icon draws one of the symbols in host.html. Screen readers ignore it: a word is
// always beside it.
export function icon(name: Icon): SVGSVGElement {
  const drawn = document.createElementNS(svg, 'svg')
  drawn.setAttribute('class', 'icon')
  drawn.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(svg, 'use')
  use.setAttribute('href', `#icon-${name}`)
  drawn.append(use)
  return drawn
}
