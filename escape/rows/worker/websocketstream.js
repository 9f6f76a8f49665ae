// WebSocketStream in a worker.
// @control: none in firefox webkit, only Chromium has it
import { wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(t.module(`
  const tell = () => postMessage('tried')
  new WebSocketStream('${t.ws('stream')}').opened.then(tell, tell)`)))
