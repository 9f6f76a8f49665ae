// The realm of about:blank with a fragment; Chromium fires no load event for it.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.createElement('iframe')
  frame.src = 'about:blank#x'
  document.body.append(frame)
  run(frame.contentDocument, source)
  await over
}
