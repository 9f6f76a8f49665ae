// A frame whose load is stopped before it has a document, and the realm of the document that it began with.
import { use } from './reach.shared.js'

export default async (t) => {
  const frame = document.createElement('iframe')
  frame.src = t.file('post.inner.html')
  document.body.append(frame)
  frame.contentWindow.stop()
  await use(t, frame.contentWindow)
}
