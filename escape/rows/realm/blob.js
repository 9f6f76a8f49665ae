// The realm of a frame whose document is a blob.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([`<script>${source}</script>`], { type: 'text/html' })) })
  await over
}
