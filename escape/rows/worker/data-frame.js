// A worker that a data: frame starts.
import { starter } from './wait.shared.js'

export default async (t) => {
  const tried = t.message(t.name)
  const frame = await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(`<script>${starter(t)}</script>`)}` })
  await Promise.race([tried, t.settled(frame)])
}
