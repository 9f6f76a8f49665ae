// A worker that hands a port to an opaque frame, which fetches what the port says.
export default async (t) => {
  const tried = t.message(t.name)
  const frame = await t.frame((frame) => {
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.srcdoc = `<script>onmessage = ({ ports: [port] }) => {
      const tell = () => parent.postMessage('${t.name}', '*')
      port.onmessage = ({ data }) => fetch(data, { mode: 'no-cors' }).then(tell, tell)
    }</script>`
  })
  const { port1, port2 } = new MessageChannel()
  frame.contentWindow.postMessage(0, '*', [port1])
  new Worker(t.module(`onmessage = ({ ports: [port] }) => port.postMessage('${t.http('port')}')`)).postMessage(0, [port2])
  await tried
}
