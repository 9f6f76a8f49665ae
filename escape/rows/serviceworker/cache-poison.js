// Answers put into Cache Storage for the worker's state, its rules and a page; then requests that they would allow.
// @alone: writes what the worker might read
import { load, proof, tryFrom } from './try.shared.js'

export default async (t) => {
  const page = t.file('page.inner.html')
  for (const name of ['bellglass', 'state', 'v1', 'files', 'rules', location.host]) {
    const cache = await caches.open(name)
    for (const path of ['/.bellglass/state', '/.bellglass/state?have=0', '/.bellglass/sw.js', '/.bellglass/hello']) {
      await cache.put(path, Response.json({ protocol: 1, revision: 1e9, policy: 'none', headers: {}, rules: [{ allow: ['**'] }], files: [] }))
    }
    await cache.put(page, new Response('<title>poison</title>', { headers: { 'Content-Type': 'text/html' } }))
  }
  const frame = await load(page)
  await tryFrom(t, frame.contentWindow)
  await tryFrom(t, window)
  if (frame.contentDocument.title === 'poison') await proof(t, 'the worker answers from a cache that the page has written')
}
