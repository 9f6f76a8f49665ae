// Requests between many updates of the worker, when one may be installing and another waiting.
// @alone: updates the worker
import { registrations } from './try.shared.js'

export default async (t) => {
  const [registration] = await registrations()
  const requests = []
  for (let i = 0; i < 20; i++) {
    requests.push(registration.update(), fetch(t.http(`update-${i}`), { mode: 'no-cors' }))
    registration.installing?.postMessage({ type: 'SKIP_WAITING' })
  }
  await Promise.allSettled(requests)
}
