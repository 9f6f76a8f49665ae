// The page unregisters its worker, and tries in the same document.
// @alone: unregisters the worker
import { tryFrom, unregister } from './try.shared.js'

export default async (t) => {
  await unregister()
  await tryFrom(t, window)
}
