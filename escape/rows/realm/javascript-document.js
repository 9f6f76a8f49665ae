// A frame whose address is a script that answers with a document.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => { frame.src = `javascript:${encodeURIComponent(JSON.stringify(`<script>${source}</script>`))}` })
  await over
}
