// A frame whose address is a script.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => { frame.src = `javascript:${encodeURIComponent(`${source}; void 0`)}` })
  await over
}
