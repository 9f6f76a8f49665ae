// The realm of an about:blank frame.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.body.appendChild(document.createElement('iframe'))
  run(frame.contentDocument, source)
  await over
}
