// WebSocket breakout: sockets to the canary, beside a frame and a worker that open theirs at the same time.
export default async (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  new Worker(t.module(`new WebSocket('${t.ws('worker')}')`))
  await Promise.all([new WebSocket(t.ws('page')), new blank.WebSocket(t.ws('blank'))].map((socket) => new Promise((resolve) => { socket.onopen = socket.onerror = resolve })))
}
