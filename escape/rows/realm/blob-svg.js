// The realm of a frame whose document is an SVG blob.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${source}]]></script></svg>`
    frame.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  })
  await over
}
