// The refusals of addresses that are ours, and their realms.
import { reach } from './reach.shared.js'

export default async (t) => {
  for (const path of ['sw.js', 'state', 'pack', 'blob/x', 'changes', 'verdicts', 'nothing', '']) {
    await reach(t, (frame) => { frame.src = `/.bellglass/${path}` })
  }
}
