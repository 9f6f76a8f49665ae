// The realm of a srcdoc frame.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => { frame.srcdoc = `<script>${source}</script>` })
  await over
}
