// What else loads in a worker: XMLHttpRequest that waits, EventSource, FontFace, Cache.add.
import { wait } from './wait.shared.js'

export default (t) => wait(t, new Worker(t.module(`(async () => {
  const request = new XMLHttpRequest()
  try {
    request.open('GET', '${t.http('xhr')}', false)
    request.send()
  } catch {}
  const source = new EventSource('${t.http('events')}')
  await new Promise((resolve) => { source.onerror = source.onopen = resolve })
  source.close()
  await new FontFace('x', 'url(${t.http('font.woff2')})').load().catch(() => {})
  await caches.open('${t.name}').then((cache) => cache.add('${t.http('cache')}')).catch(() => {})
  postMessage('tried')
})()`)))
