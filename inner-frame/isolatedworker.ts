// The worker in the document of an isolated execution. It is created from a blob, so it
// has the document's policy and no origin.
import { apiOf } from './api'
import { hide } from './hide'
import { load, type IsolatedCode } from './load'
import { perform } from './perform'

addEventListener('message', (event: MessageEvent<IsolatedCode>) => {
  const [port] = event.ports
  if (port === undefined) return
  const { args, resultLimit, code, hidden, methods } = event.data
  hide(hidden)
  void perform(port, { args, resultLimit, load: load(code), api: apiOf(methods, port) })
}, { once: true })
