// A sandboxed frame with a file of the sandbox, to which it is of another origin.
// @control: none, its request goes past the worker, and the server answers with the boot page alone
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source } = tries(t)
  await t.frame((frame) => {
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-top-navigation allow-downloads')
    frame.src = `${t.file('virtual.inner.html')}?${new URLSearchParams({ source })}`
  })
}
