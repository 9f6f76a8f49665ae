// The realm of a sandboxed srcdoc frame, whose origin is opaque.
import { tries } from './tries.shared.js'

export default async (t) => {
  const { source, over } = tries(t)
  await t.frame((frame) => {
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.srcdoc = `<script>${source}</script>`
  })
  await over
}
