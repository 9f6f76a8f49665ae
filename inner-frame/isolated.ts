// The document of one isolated execution. It has no origin, so it has no files, no
// storage, and no service worker. The code runs in it, or in a worker that it creates.
import type { Begun } from '../protocol/protocol.gen'
import { apiOf } from './api'
import type { IsolatedExecution } from './data.gen'
import { load, type IsolatedCode } from './load'
import { hide } from './hide'
import { perform } from './perform'

const element = document.getElementById('data')
const data = JSON.parse(element?.textContent ?? '') as IsolatedExecution
element?.remove()

addEventListener('message', (event) => {
  const [port] = event.ports
  if (event.source !== parent || event.origin !== data.outer || port === undefined) return
  if (data.worker === '') {
    const { args, resultLimit, code } = data
    hide(data.hidden)
    void perform(port, { args, resultLimit, load: load(code), api: apiOf(data.methods, port) })
    return
  }
  const worker = new Worker(URL.createObjectURL(new Blob([data.worker], { type: 'text/javascript' })))
  const { args, resultLimit, code, hidden, methods } = data
  worker.postMessage({ args, resultLimit, code, hidden, methods } satisfies IsolatedCode, [port])
}, { once: true })

const begun: Begun = { kind: 'begun' }
parent.postMessage(begun, data.outer)
