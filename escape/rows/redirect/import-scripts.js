// A script that a worker loads from an allowed host, redirected.
export default async (t) => {
  const worker = new Worker(t.module(`
    try { importScripts('${t.redirect(t.http('imported.js'))}') } catch {}
    postMessage('tried')`))
  await Promise.race([t.message('tried', worker), t.settled(worker)])
}
