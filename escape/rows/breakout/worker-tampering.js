// Worker tampering: the firewall's worker is unregistered, overwritten and its clients claimed back, all at once, and the page tries.
// @alone: unregisters the worker
export default async (t) => {
  const evil = t.module('onfetch = (event) => event.respondWith(fetch(event.request))')
  const all = await navigator.serviceWorker.getRegistrations()
  await Promise.allSettled([
    ...all.map((registration) => registration.unregister()),
    navigator.serviceWorker.register(evil, { scope: '/' }),
    navigator.serviceWorker.register(t.file('worker-tampering.inner.js'), { scope: '/' }),
    ...all.map((registration) => registration.update()),
  ])
  Object.defineProperty(navigator.serviceWorker, 'controller', { value: null })
  await fetch(t.http('tampered'), { mode: 'no-cors' })
}
