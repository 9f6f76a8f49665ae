// The service worker: the fine firewall and the file server of one sandbox.
//
// A rundown of what is not obvious:
//
// - The browser stops this worker after about 30 s without work and forgets all
//   its variables. Nothing here is state that the server does not have; the
//   first request after a wake waits until the state has been fetched again.
// - The page and this worker share an origin, so the page can post messages to
//   it, write to its caches and take it down with unregister(). So: no message
//   is listened to, no cache is read, and the server and the browser's own
//   policies contain the page without this worker too.
// - A request that the page's CSP or Connection-Allowlist refuses never comes
//   here. Those blocks are reported by the page (securitypolicyviolation).
// - Requests of about:blank, blob: and data: frames and of data: workers do not
//   come here either; they inherit the browser's policies.
// - This is the only file with side effects.
import { answer, leaveToServer } from './answer'
import { states } from './states'

// Without its own type for the global, TypeScript takes self for a Window.
declare const self: ServiceWorkerGlobalScope

// The first request waits for less when the state is asked for as soon as the
// browser has started this worker. No event waits for it.
states.wake()

self.addEventListener('install', () => {
  // Nothing is awaited here: an install that hangs blocks register() and
  // unregister() for minutes.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  if (!leaveToServer(event.request)) event.respondWith(answer(event))
})
