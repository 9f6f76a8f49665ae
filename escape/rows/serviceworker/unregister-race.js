// Many requests at once while the worker is unregistered and registered again.
// @alone: unregisters the worker
import { unregister } from './try.shared.js'

export default async (t) => {
  const requests = []
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 20; i++) requests.push(fetch(t.http(`race-${round}-${i}`), { mode: 'no-cors' }))
    await unregister()
    await navigator.serviceWorker.register('/.bellglass/sw.js', { scope: '/' })
  }
  await Promise.allSettled(requests)
}
