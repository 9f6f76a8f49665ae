// A worker that a sandboxed frame starts.
import { starter } from './wait.shared.js'

export default async (t) => {
  const tried = t.message(t.name)
  const frame = await t.frame((frame) => {
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.srcdoc = `<script>${starter(t)}</script>`
  })
  await Promise.race([tried, t.settled(frame)])
}
