// Other sandboxes on the same page: every window in reach is asked for a message port, and its answer is sent out.
// @control: none, there is no other sandbox in the suite's pages
import { breach, turns } from './around.shared.js'

export default async (t) => {
  const { port1, port2 } = new MessageChannel()
  const heard = []
  port1.onmessage = ({ data }) => heard.push(data)
  const windows = (above) => [above, ...Array.from({ length: above.length }, (_, i) => windows(above[i])).flat()]
  const others = windows(top).filter((other) => other !== window && other !== top && other !== parent)
  for (const other of others) other.postMessage({ kind: 'connect', protocol: 1 }, '*', [new MessageChannel().port1])
  parent.postMessage('port', '*', [port2])
  await turns()
  if (heard.length > 0) await breach(t, JSON.stringify(heard))
}
