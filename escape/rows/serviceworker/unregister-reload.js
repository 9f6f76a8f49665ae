// The page takes its worker down and loads itself again; the second time it tries.
// @leaves: the view loads itself again
import { tryFrom, unregister } from './try.shared.js'

export default async (t) => {
  if (sessionStorage.getItem(t.host)) return tryFrom(t, window)
  sessionStorage.setItem(t.host, 'once')
  await unregister()
  location.reload()
}
