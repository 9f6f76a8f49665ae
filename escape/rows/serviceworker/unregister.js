// The page takes its worker down, and tries in the same document.
// @alone: takes the worker down
import { tryFrom, unregister } from './try.shared.js'

export default async (t) => {
  await unregister()
  await tryFrom(t, window)
}
