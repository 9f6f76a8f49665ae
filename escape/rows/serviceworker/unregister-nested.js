// A srcdoc frame unregisters the worker, and the page and an empty frame try.
// @alone: unregisters the worker
import { tryFrom } from './try.shared.js'

export default async (t) => {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.srcdoc = '<p>'
  document.body.append(frame)
  await loaded
  for (const registration of await frame.contentWindow.navigator.serviceWorker.getRegistrations()) await registration.unregister()
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  await Promise.all([tryFrom(t, window), tryFrom(t, blank)])
}
