// A worker that a blob frame starts.
import { starter } from './wait.shared.js'

export default async (t) => {
  const tried = t.message(t.name)
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([`<script>${starter(t)}</script>`], { type: 'text/html' })) })
  await tried
}
