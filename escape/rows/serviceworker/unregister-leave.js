// The page unregisters its worker, and the view goes to a page of its own, which tries.
// @leaves: the view goes to a page of its own
import { unregister } from './try.shared.js'

export default async (t) => {
  await unregister()
  location.href = `${t.file('unregister-leave.inner.html')}?${new URLSearchParams({ source: t.everything() })}`
}
