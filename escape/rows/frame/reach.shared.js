// Loads a document of the sandbox's own origin into a frame, and tries from the realm that it gives.
export async function reach(t, set) {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  set(frame)
  document.body.append(frame)
  await loaded
  await use(t, frame.contentWindow)
}

// The realm is used from outside, so that a policy on its own scripts is not in the way. WebRTC, which can end
// Chromium's renderer there and all rows in it, has rows of its own in realm/ and transport/.
export async function use(t, realm) {
  const socket = new realm.WebSocket(t.ws('socket'))
  const opened = new Promise((resolve) => { socket.onopen = socket.onerror = resolve })
  await Promise.allSettled([realm.fetch(t.http('fetch'), { mode: 'no-cors' }), opened])
}
