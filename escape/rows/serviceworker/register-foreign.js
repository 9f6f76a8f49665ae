// Service workers whose scripts are a blob, a data: address, the canary's, and the allowed host's.
// @alone: registers workers
// @control: none, a worker's script must be of the page's own origin, over HTTP
import { proof } from './try.shared.js'

export default async (t) => {
  const source = 'onfetch = (event) => event.respondWith(new Response("taken over"))'
  const scripts = [t.module(source), `data:text/javascript,${source}`, t.http('worker.js'), t.https('worker.js'), t.allowed(`answer?type=text/javascript&body=${encodeURIComponent(source)}`)]
  const ends = await Promise.allSettled(scripts.map((script) => navigator.serviceWorker.register(script)))
  if (ends.some((end) => end.status === 'fulfilled')) await proof(t, 'a foreign script was registered')
}
