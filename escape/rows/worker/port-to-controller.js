// Messages to the service worker, with a port each, that ask it to fetch, in every shape that workers are known to obey.
// @control: none, our worker listens to no message
export default async (t) => {
  const url = t.http('asked')
  const { controller } = navigator.serviceWorker
  const words = ['fetch', 'FETCH', 'proxy', 'request', 'prefetch', 'precache', 'CACHE_URLS', 'ADD_ALL', 'import', 'UPDATE_RULES', 'log']
  const shapes = [url, [url], { url }, { urls: [url] }, { fetch: url }, new URL(url).href]
  for (const word of words) {
    for (const key of ['type', 'kind', 'action', 'cmd', 'command', 'method']) {
      shapes.push({ [key]: word, url, urls: [url], payload: { url, urlsToCache: [url] }, data: url, args: [url], request: { url, method: 'GET' } })
    }
  }
  for (const shape of shapes) controller.postMessage(shape, [new MessageChannel().port1])
  // The worker answers requests after messages, so an answer shows that it has had them all.
  await fetch('/batch.js')
}
