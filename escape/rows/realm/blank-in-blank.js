// An empty frame within an empty frame.
import { run, tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t, 'parent.parent')
  const outer = document.body.appendChild(document.createElement('iframe')).contentDocument
  const inner = outer.body.appendChild(outer.createElement('iframe')).contentDocument
  run(inner, source)
  await over
}
