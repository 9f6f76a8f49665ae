// A frame whose document is opened anew and written.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const frame = document.body.appendChild(document.createElement('iframe'))
  frame.contentDocument.open()
  frame.contentDocument.write(`<script>${source}</script>`)
  frame.contentDocument.close()
  await over
}
