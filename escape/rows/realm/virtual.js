// The realm of a frame with a file of the sandbox.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => { frame.src = `${t.file('virtual.inner.html')}?${new URLSearchParams({ source })}` })
  await over
}
