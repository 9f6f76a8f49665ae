// The realm of an empty pop-up, which a click has opened.
// @alone: a pop-up
// @gesture: click
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const opened = new Promise((resolve) => addEventListener('click', () => resolve(open('')), { once: true, capture: true }))
  await t.gesture('click')
  const popup = await opened
  if (!popup) throw new Error('no pop-up')
  const { source, over } = tries(t, 'opener')
  run(popup.document, source)
  await over
}
