// A data: frame within a data: frame.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t, 'parent.parent')
  const refused = t.settled(new EventTarget())
  const data = (html) => `data:text/html,${encodeURIComponent(html)}`
  await t.frame((frame) => { frame.src = data(`<iframe src="${data(`<script>${source}</script>`)}"></iframe>`) })
  await Promise.race([over, refused])
}
