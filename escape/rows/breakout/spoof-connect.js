// The page impersonates the embedder, so that the outer frame would send it the log.
// @control: none, the outer frame looks at where a message comes from
import { breach, turns } from './around.shared.js'

export default async (t) => {
  const heard = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => heard.push(data)
  addEventListener('message', ({ source, data }) => source === parent && heard.push(data))
  parent.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
  // From a frame of its own whose parent is the view, and from the top, as it were.
  const inner = await t.frame((frame) => { frame.srcdoc = '<script>parent.parent.postMessage({ kind: `connect`, protocol: 1 }, `*`, [new MessageChannel().port1])</script>' })
  inner.remove()
  await turns()
  if (heard.length > 0) await breach(t, `the outer frame told ${JSON.stringify(heard)}`)
}
