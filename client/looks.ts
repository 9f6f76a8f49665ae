// What the element shows around the frame: a cover while the sandbox starts, a note
// while the server is unreachable, and a card when nothing runs. It is built node by
// node and styled by a constructed style sheet, so it needs no exception in the page's
// Content-Security-Policy or Trusted Types.
import type { Failure, SandboxState } from './events'
import { css, cssSized } from './style'

export class Looks {
  // stage is the parent of the frame.
  readonly stage: HTMLElement
  private readonly root: ShadowRoot
  // content is as tall as the document in the frame; see resize.
  private readonly content: HTMLElement
  private height: number | undefined
  private readonly cover: HTMLElement
  private readonly note: HTMLElement
  private readonly card: HTMLElement
  private readonly parts: Readonly<Record<'text' | 'advice' | 'code', HTMLElement>>

  constructor(host: HTMLElement, reload: () => void) {
    this.root = host.attachShadow({ mode: 'open' })
    this.stage = make('div', { part: 'stage' })
    this.content = make('div', {})
    this.cover = make('p', { part: 'cover', role: 'status' })
    this.note = make('p', { part: 'note', role: 'status' })
    this.parts = { text: make('p', {}), advice: make('p', { class: 'advice' }), code: make('code', {}) }
    const button = make('button', { part: 'button', type: 'button' }, 'Reload')
    button.addEventListener('click', reload)
    this.card = make('div', { part: 'failure', role: 'alert' })
    this.card.append(make('div', { part: 'card' },
      make('div', { class: 'head' }, jar(), make('h2', {}, 'The sandbox does not run')), this.parts.text, this.parts.advice, make('div', { class: 'tail' }, button, this.parts.code)))
    this.root.append(this.content, this.stage, this.cover, this.note, this.card)
    this.show('idle', undefined)
  }

  // adopt adds the style sheet to the element's document. A constructed sheet belongs
  // to one document.
  adopt(document: Document): void {
    const view = document.defaultView
    if (view !== null) this.root.adoptedStyleSheets = (this.height === undefined ? [css] : [css, cssSized]).map((text) => sheetOf(document, view, text))
  }

  // resize makes the element as tall as a document of this height, or as tall as the
  // page wants it. For a document, the element's height is auto, and this is its
  // content. So the browser handles borders, min-height, and max-height, and the style
  // attribute stays the page's.
  resize(height: number | undefined): void {
    const was = this.height
    this.height = height
    this.content.style.height = `${height ?? 0}px`
    if ((was === undefined) !== (height === undefined)) this.adopt(this.root.ownerDocument)
  }

  show(state: SandboxState, failure: Failure | undefined): void {
    const away = state === 'disconnected'
    this.stage.inert = state !== 'ready' && !away
    this.cover.hidden = state !== 'booting'
    this.cover.replaceChildren(...(state === 'booting' ? [jar(), make('span', {}, 'Starting the sandbox…')] : []))
    this.note.hidden = !away
    this.note.textContent = away ? 'Connection lost. Trying again…' : ''
    this.card.hidden = failure === undefined
    for (const name of ['text', 'advice', 'code'] as const) this.parts[name].textContent = failure?.[name] ?? ''
  }
}

const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>()

function sheetOf(document: Document, view: Window & typeof globalThis, text: string): CSSStyleSheet {
  const known = sheets.get(document) ?? new Map<string, CSSStyleSheet>()
  sheets.set(document, known)
  const sheet = known.get(text) ?? new view.CSSStyleSheet()
  if (!known.has(text)) sheet.replaceSync(text)
  known.set(text, sheet)
  return sheet
}

function make(tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

const svg = 'http://www.w3.org/2000/svg'

// jar draws the bell glass. Screen readers ignore it.
function jar(): SVGElement {
  const drawn = document.createElementNS(svg, 'svg')
  drawn.setAttribute('viewBox', '0 0 32 32')
  drawn.setAttribute('aria-hidden', 'true')
  for (const [name, path] of [
    ['glass', 'M14.1 4.2a1.9 1.9 0 1 1 3.8 0a1.9 1.9 0 1 1-3.8 0M7.2 26V15.2a8.8 8.8 0 0 1 17.6 0V26'],
    ['shine', 'M11.2 18v-2.6a4.8 4.8 0 0 1 1.6-3.6'],
    ['base', 'M3.5 28.2h25'],
  ] as const) {
    const line = document.createElementNS(svg, 'path')
    line.setAttribute('class', name)
    line.setAttribute('d', path)
    drawn.append(line)
  }
  return drawn
}
