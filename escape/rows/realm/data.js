// The realm of a data: frame, whose origin is opaque.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const refused = t.settled(new EventTarget())
  await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(`<script>${source}</script>`)}` })
  await Promise.race([over, refused])
}
