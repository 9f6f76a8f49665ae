// A data: worker in a blob worker.
import { dedicated, persist, wait } from './wait.shared.js'

export default (t) => persist(() => wait(t, new Worker(t.module(`
  const worker = new Worker(${JSON.stringify(`data:text/javascript,${encodeURIComponent(dedicated(t))}`)})
  worker.onmessage = worker.onerror = () => postMessage('tried')`))))
