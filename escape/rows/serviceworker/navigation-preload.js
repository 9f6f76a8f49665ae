// Navigation preload with a header of the page's choice, so that requests of frames go past the worker.
// @alone: changes the registration
import { load, registrations, tryFrom } from './try.shared.js'

export default async (t) => {
  const [registration] = await registrations()
  await registration.navigationPreload.enable()
  await registration.navigationPreload.setHeaderValue('x')
  const frame = await load(t.file('page.inner.html'))
  await tryFrom(t, frame.contentWindow)
  await t.frame((frame) => { frame.src = t.http('preloaded') })
}
