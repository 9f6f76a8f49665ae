// The frames of a run, in the dock at the bottom. They must be in view, because browsers
// throttle frames out of view.
import { Connection } from '../client/connection'
import { mismatch } from '../client/events'
import { make } from '../host-page/dom'
import { element } from './data'
import { atOnce, type Column, type Frame, type Order } from './shapes.gen'

// clearing is how long a page of the control may take to clear what it has stored.
const clearing = 2_000 // ms

export class Stage {
  private readonly frames = new Map<string, HTMLElement>()
  private readonly connections = new Map<string, Connection>()

  // told is called when a sandbox has started, or has failed to.
  constructor(private readonly told: (frame: Frame) => void) {
    element('dock').hidden = false
    for (const column of ['glass', 'control'] as const) {
      element(`places-${column}`).replaceChildren(...Array.from({ length: atOnce }, () => make('div', { class: 'place' })))
    }
  }

  open(order: Order): void {
    const { id = '', url = '', column = 'glass', title = '' } = order
    const place = this.free(column)
    place.replaceChildren()
    place.dataset['title'] = title
    place.classList.add('taken')
    this.frames.set(id, place)
    if (column === 'control') {
      place.append(make('iframe', { title: `${title}, without glass`, attributes: { src: url, sandbox: plainFlags } }))
      return
    }
    let told = false
    const tell = (containment: string, failure: string): void => {
      if (!told) this.told({ id, containment, failure })
      told = true
    }
    this.connections.set(id, new Connection(place, { url, title: `${title}, under glass` }, {
      event: () => undefined,
      silent: () => tell('', 'The sandbox’s frame does not answer.'),
      mismatch: (protocol) => tell('', mismatch(protocol).text),
      taken: () => tell('', 'The sandbox repeatedly took the focus from this page.'),
      state: ({ state, containment, text, code }) => {
        if (state === 'ready') tell(containment, '')
        // A view that breaks later, because of a technique, has not failed to start.
        if (state === 'failed') tell(containment, `${text ?? ''} (${code ?? ''})`)
      },
    }))
  }

  // close removes a frame after it has visited the address that clears what its origin stored.
  close(order: Order): void {
    const place = this.frames.get(order.id ?? '')
    this.frames.delete(order.id ?? '')
    this.connections.get(order.id ?? '')?.close()
    this.connections.delete(order.id ?? '')
    if (place === undefined) return
    const frame = place.querySelector('iframe')
    const done = (): void => {
      if (place.querySelector('iframe') === frame) place.replaceChildren()
    }
    place.classList.remove('taken')
    if (frame === null || order.url === undefined || order.url === '') return done()
    frame.addEventListener('load', done)
    setTimeout(done, clearing)
    frame.src = order.url
  }

  end(): void {
    this.frames.clear()
    for (const connection of this.connections.values()) connection.close()
    this.connections.clear()
    element('dock').hidden = true
    for (const column of ['glass', 'control'] as const) element(`places-${column}`).replaceChildren()
  }

  private free(column: Column): HTMLElement {
    const places = element(`places-${column}`)
    const place = Array.from(places.querySelectorAll<HTMLElement>('.place')).find((each) => !each.classList.contains('taken'))
    return place ?? places.appendChild(make('div', { class: 'place' }))
  }
}

// The pages without glass may do what any page may, except what would annoy the visitor: open
// windows, leave this page, download files, show dialogs. These flags stop none of the
// techniques that run.
const plainFlags = 'allow-scripts allow-same-origin allow-forms allow-presentation allow-storage-access-by-user-activation'
