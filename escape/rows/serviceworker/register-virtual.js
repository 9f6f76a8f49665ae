// A file of the sandbox as a service worker that would fetch from the canary: in several scopes, classic and module.
// @alone: registers workers
// @control: none, the server refuses each script but its own to a registration
import { proof } from './try.shared.js'

export default async (t) => {
  const script = `${t.file('register-virtual.inner.js')}?${new URLSearchParams({ url: t.http('worker') })}`
  const options = [{}, { scope: '/' }, { scope: '/rows/' }, { type: 'module' }, { updateViaCache: 'all' }]
  const ends = await Promise.allSettled(options.map((option) => navigator.serviceWorker.register(script, option)))
  if (ends.some((end) => end.status === 'fulfilled')) await proof(t, 'a file of the sandbox was registered')
}
