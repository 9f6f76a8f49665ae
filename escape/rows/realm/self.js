// The page's own realm, for comparison.
export default async (t) => {
  const socket = new WebSocket(t.ws('socket'))
  await Promise.allSettled([fetch(t.http('fetch'), { mode: 'no-cors' }), new Promise((resolve) => { socket.onopen = socket.onerror = resolve })])
}
