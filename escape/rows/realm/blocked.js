// The initial document of a frame that is navigating to the canary.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.createElement('iframe')
  frame.src = t.http('blocked')
  document.body.append(frame)
  run(frame.contentDocument, source)
  // Its own navigation may end the realm before it has told.
  await Promise.race([over, t.settled(frame)])
}
