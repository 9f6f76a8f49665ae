// The realm of a credentialless empty frame.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.createElement('iframe')
  frame.credentialless = true
  document.body.append(frame)
  run(frame.contentDocument, source)
  await over
}
