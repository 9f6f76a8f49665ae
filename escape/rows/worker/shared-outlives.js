// A shared worker that tries again when the frame which started it is gone, kept alive by the page.
import { failed } from './wait.shared.js'

export default async (t) => {
  const script = t.module(`onconnect = ({ ports: [port] }) => {
    port.onmessage = () => ${t.everything('port.postMessage(`tried`)')}
  }`)
  const frame = document.body.appendChild(document.createElement('iframe'))
  new frame.contentWindow.SharedWorker(script, t.name)
  const worker = new SharedWorker(script, t.name)
  frame.remove()
  const over = t.message('tried', worker.port)
  worker.port.postMessage(0)
  await Promise.race([over, failed(worker)])
}
