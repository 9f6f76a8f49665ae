// An empty frame, found by its name with window.open.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.createElement('iframe')
  frame.name = `realm ${t.name}`
  document.body.append(frame)
  run(open('', frame.name).document, source)
  await over
}
