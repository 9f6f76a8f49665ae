// A frame that loads its page again, and the realm of the second document.
import { use } from './reach.shared.js'

export default async (t) => {
  const frame = document.createElement('iframe')
  const load = () => new Promise((resolve) => { frame.onload = resolve })
  const first = load()
  frame.src = t.file('post.inner.html')
  document.body.append(frame)
  await first
  const second = load()
  frame.contentWindow.location.reload()
  await second
  await use(t, frame.contentWindow)
}
