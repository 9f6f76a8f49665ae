// The page unregisters its worker, and tries from frames whose documents the server itself answers.
// @alone: unregisters the worker
import { load, tryFrom, unregister } from './try.shared.js'

export default async (t) => {
  await unregister()
  const addresses = [t.file('page.inner.html'), '/missing.html', '/rows%2f', '/.bellglass/boot', '/.bellglass/probe', '/.bellglass/client.js', '/.bellglass/nothing']
  const frames = await Promise.all(addresses.map(load))
  // What is refused has an opaque origin, and cannot be used from here.
  await Promise.allSettled(frames.map(async (frame) => tryFrom(t, frame.contentWindow)))
}
