// Workers of the paths that are ours.
// @control: none, none of them runs code that it is given
import { failed } from './wait.shared.js'

export default async () => {
  for (const path of ['boot', 'probe', 'sw.js', 'hello', 'state', 'nothing.js']) await failed(new Worker(`/.bellglass/${path}`))
}
