// Workers of paths of the sandbox at which there is no script: nothing at all, and a GIF that is also a script.
// @control: none, a 404 and an image are no scripts
import { dedicated, failed, wait } from './wait.shared.js'

export default async (t) => {
  const query = `?${new URLSearchParams({ source: dedicated(t) })}`
  await failed(new Worker(`/missing.js${query}`))
  await wait(t, new Worker(`${t.file('missing.inner.gif')}${query}`))
}
