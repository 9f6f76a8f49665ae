// The refusal of a form that is posted into a frame, and its realm.
import { use } from './reach.shared.js'

export default async (t) => {
  const frame = document.createElement('iframe')
  frame.name = `frame of ${t.name}`
  document.body.append(frame)
  const form = document.createElement('form')
  form.method = 'post'
  form.target = frame.name
  form.action = t.file('post.inner.html')
  document.body.append(form)
  const answered = new Promise((resolve) => { frame.onload = resolve })
  form.submit()
  await answered
  await use(t, frame.contentWindow)
}
