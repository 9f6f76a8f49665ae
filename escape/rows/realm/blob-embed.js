// The realm of a blob in an embed element.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const embed = document.createElement('embed')
  const refused = t.settled(new EventTarget())
  embed.type = 'text/html'
  embed.src = URL.createObjectURL(new Blob([`<script>${source}</script>`], { type: 'text/html' }))
  document.body.append(embed)
  await Promise.race([over, refused])
}
