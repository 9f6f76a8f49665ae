// The realm of about:blank with a query.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = await t.frame((frame) => { frame.src = 'about:blank?x' })
  run(frame.contentDocument, source)
  await over
}
