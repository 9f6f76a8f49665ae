// Workers whose scripts are the canary's.
// @control: none, a worker's script must be of the page's own origin
import { failed } from './wait.shared.js'

export default async (t) => {
  await failed(new Worker(t.http('module.mjs'), { type: 'module' }))
  await failed(new Worker(t.http('script.js')))
}
