// A script of an allowed host, loaded by a worker, that fetches and opens a socket.
export default async (t) => {
  const script = t.allowed(`answer?${new URLSearchParams({ type: 'text/javascript', body: t.everything('postMessage(`tried`)') })}`)
  const worker = new Worker(t.module(`try { importScripts('${script}') } catch { postMessage('tried') }`))
  await Promise.race([t.message('tried', worker), t.settled(worker)])
}
