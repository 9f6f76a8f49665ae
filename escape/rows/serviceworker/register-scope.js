// Our own worker once more, with a query and as a module, in scopes of its own; then a frame in that scope tries.
// @alone: registers workers
import { load, tryFrom } from './try.shared.js'

export default async (t) => {
  await Promise.allSettled([
    navigator.serviceWorker.register('/.bellglass/sw.js?rules=none', { scope: '/rows/' }),
    navigator.serviceWorker.register('/.bellglass/%73w.js', { scope: '/rows/serviceworker/', type: 'module', updateViaCache: 'all' }),
  ])
  const frame = await load(t.file('page.inner.html'))
  await tryFrom(t, frame.contentWindow)
}
