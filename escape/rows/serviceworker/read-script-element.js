// The worker's script as a script element, and as a script that a worker imports: it names its secret in a variable.
// @control: none, the server sends the script only to a registration
import { proof } from './try.shared.js'

export default async (t) => {
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = '/.bellglass/sw.js'
  document.head.append(script)
  await done
  const worker = new Worker(t.module(`
    try { importScripts('${location.origin}/.bellglass/sw.js') } catch {}
    postMessage(typeof bellglassConfig === 'undefined' ? '' : JSON.stringify(bellglassConfig))`))
  const imported = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
  const config = typeof bellglassConfig === 'undefined' ? imported : JSON.stringify(bellglassConfig)
  if (config !== '') await proof(t, config)
}
