// WebTransport in a worker.
// @control: none in webkit, it has no WebTransport
import { wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(t.module(`
  const tell = () => postMessage('tried')
  new WebTransport('${t.https('transport')}').ready.then(tell, tell)`)))
