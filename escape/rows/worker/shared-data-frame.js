// A shared worker that a data: frame starts, from a data: address.
// @control: none in chromium, an opaque origin has no shared workers there
export default async (t) => {
  const tried = t.message(t.name)
  const worker = `data:text/javascript,${encodeURIComponent(`onconnect = ({ ports: [port] }) => ${t.everything('port.postMessage(`tried`)')}`)}`
  const html = `<script>
    const tell = () => parent.postMessage('${t.name}', '*')
    try {
      const worker = new SharedWorker(${JSON.stringify(worker)})
      worker.port.onmessage = worker.onerror = tell
    } catch {
      tell()
    }
  </script>`
  const frame = await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(html)}` })
  await Promise.race([tried, t.settled(frame)])
}
