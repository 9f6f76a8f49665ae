// A worker in a worker in a worker.
import { dedicated, persist, wait } from './wait.shared.js'

export default (t) => {
  const within = (source) => `
    const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })))
    worker.onmessage = worker.onerror = () => postMessage('tried')`
  return persist(() => wait(t, new Worker(t.module(within(within(dedicated(t)))))))
}
