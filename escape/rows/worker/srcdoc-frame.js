// A worker that a srcdoc frame starts.
import { starter } from './wait.shared.js'

export default async (t) => {
  const tried = t.message(t.name)
  await t.frame((frame) => { frame.srcdoc = `<script>${starter(t)}</script>` })
  await tried
}
