// A worker that is terminated with a keepalive request under way.
// @control: seldom, the request mostly ends with the worker before it leaves
export default async (t) => {
  const worker = new Worker(t.module(`
    fetch('${t.http('keepalive')}', { method: 'POST', body: 'x', mode: 'no-cors', keepalive: true }).catch(() => {})
    postMessage('tried')`))
  await t.message('tried', worker)
  worker.terminate()
}
