// The host page: shows the sandbox and what it did, and can ask for a reload. This file
// wires the parts; each is in a file of its own.
import type { Event } from '../protocol/protocol.gen'
import { Connection } from '../client/connection'
import { failure, mismatch } from '../client/events'
import { Console } from './console'
import { data, element } from './data'
import type { Load } from './lifecycle'
import { Network } from './network'
import { Notice } from './notice'
import { splitter } from './splitter'
import { Status } from './status'
import { isOver, note } from './successor'
import { tabs } from './tabs'
import { oneLine } from './text'

const status = new Status(() => connection.reload())
const network = new Network()
const lines = new Console()
const notice = new Notice()
tabs(element('tabs'))
splitter(element('splitter'), element('work'))

const connection = new Connection(element('view'), { url: data.outerUrl, allow: data.allow, title: `Sandbox ${oneLine(data.name)}` }, {
  state: (message) => {
    status.show(message)
    if (message.state === 'booting') notice.clear()
    if (isOver(message)) location.reload()
  },
  silent: () => status.silent(),
  mismatch: (protocol) => status.failed(mismatch(protocol)),
  taken: () => status.failed(failure('focus-taken')),
  event: (event) => {
    note(event)
    notice.note(event)
    status.reached(event.revision)
    show(event)
  },
  shown: (message) => {
    status.at(message.path)
    if (message.manner === 'path') return
    const load: Load = { type: 'load', time: new Date().toISOString(), ...message }
    network.add(load)
    lines.add(load)
  },
})
connection.live(data.live)

function show(event: Event): void {
  switch (event.type) {
    case 'verdict':
    case 'violation':
      network.add(event)
      break
    case 'console':
    case 'error':
      lines.add(event)
      break
    case 'lifecycle':
      network.add(event)
      lines.add(event)
      break
    default:
      console.warn('Bellglass: an event of an unknown type was ignored.', event satisfies never)
  }
}
