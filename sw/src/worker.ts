// The service worker: the precise firewall and the file server of one sandbox.
//
// What is not obvious:
//
// - The browser stops this worker after about 30 s without work, and all its variables are lost.
//   The server has all state that is kept here. The first request after a wake waits until the
//   state has been fetched again.
// - The page and this worker share an origin. So the page can post messages to the worker, write
//   to its caches, and remove it with unregister(). Therefore the worker listens to no message
//   and reads no cache. The server and the browser's own policies contain the page without this
//   worker, too.
// - A request that the page's CSP or Connection-Allowlist blocks never arrives here. The page
//   reports those blocks (securitypolicyviolation).
// - Requests of about:blank, blob:, and data: frames and of data: workers do not arrive here
//   either. Such frames and workers inherit the browser's policies.
// - This is the only file with side effects.
import { answer, leaveToServer } from './answer'
import { states } from './states'

// Without this declaration TypeScript takes self for a Window.
declare const self: ServiceWorkerGlobalScope

// Asking for the state as soon as the browser has started this worker shortens the wait of the
// first request. No event waits for it. It runs after this script, because a worker's first fetch takes
// milliseconds. A fetch during the script also made Chromium 156 parse the whole script again, to find
// the positions of the call stack.
setTimeout(() => states.wake(), 0)

self.addEventListener('install', () => {
  // Nothing is awaited here: an install that hangs blocks register() and unregister() for
  // minutes.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (!leaveToServer(event.request, url)) event.respondWith(answer(event, url))
})
