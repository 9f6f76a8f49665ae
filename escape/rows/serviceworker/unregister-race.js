// Many requests at once while the worker is taken down and put up again.
// @alone: takes the worker down
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
