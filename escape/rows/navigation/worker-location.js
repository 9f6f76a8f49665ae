// A worker that sets its own location.
// @control: none, the location of a worker cannot be set
export default async (t) => {
  const worker = new Worker(t.module(`
    try { self.location = '${t.http('worker')}' } catch {}
    try { self.location.href = '${t.http('worker')}' } catch {}
    postMessage('tried')`))
  await Promise.race([t.message('tried', worker), t.settled(worker)])
}
