// A srcdoc frame within a data: frame.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t, 'parent.parent')
  const refused = t.settled(new EventTarget())
  await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(`<iframe srcdoc="<script>${source}</script>"></iframe>`)}` })
  await Promise.race([over, refused])
}
