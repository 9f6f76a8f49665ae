// Loads an address of the sandbox into a frame, which calls back when its document is there.
export async function load(address) {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.src = address
  document.body.append(frame)
  await loaded
  return frame
}

// tryFrom tries from a realm of our own origin, used from outside; most of these rows change what stands behind it.
export async function tryFrom(t, realm) {
  const socket = new realm.WebSocket(t.ws('socket'))
  await Promise.allSettled([
    (async () => realm.fetch(t.http('fetch'), { mode: 'no-cors' }))(),
    (async () => realm.fetch(t.http('post'), { method: 'POST', body: 'x' }))(),
    new Promise((resolve) => { socket.onopen = socket.onerror = resolve }),
  ])
}

export const registrations = () => navigator.serviceWorker.getRegistrations()

export const unregister = async () => Promise.all((await registrations()).map((registration) => registration.unregister()))

// proof says that something was read or done which must not be.
export async function proof(t, what) {
  await fetch(t.http('proof'), { method: 'POST', mode: 'no-cors', body: what }).catch(() => {})
  throw new Error(`BREACH: ${what.slice(0, 200)}`)
}
