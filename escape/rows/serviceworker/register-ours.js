// Our other scripts and pages as service workers, and our worker's path spelled in other ways.
// @alone: registers workers
// @control: none, the server refuses each script but its own to a registration
import { proof } from './try.shared.js'

export default async (t) => {
  const paths = ['client.js', 'boot', 'probe', 'hello', 'state', '/sw.js', 'SW.js', 'sw.js/', 'sw.js/x.js', 'x/..%2fsw.js', 'sw.js;x']
  const ends = await Promise.allSettled(paths.map((path) => navigator.serviceWorker.register(`/.bellglass/${path}`, { scope: `/.bellglass/${t.name}` })))
  const accepted = paths.filter((_, i) => ends[i].status === 'fulfilled')
  if (accepted.length > 0) await proof(t, `registered: ${accepted}`)
}
