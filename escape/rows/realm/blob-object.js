// The realm of a blob in an object element.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  const object = document.createElement('object')
  const refused = new Promise((resolve) => { object.onerror = resolve })
  object.data = URL.createObjectURL(new Blob([`<script>${source}</script>`], { type: 'text/html' }))
  document.body.append(object)
  await Promise.race([over, refused])
}
