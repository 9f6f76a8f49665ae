// The functions of an empty frame, kept while the frame goes to a page of the sandbox.
export default async (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const { fetch, WebSocket } = frame.contentWindow
  const gone = new Promise((resolve) => { frame.onload = resolve })
  frame.src = t.file('virtual.inner.html')
  await gone
  await Promise.allSettled([
    (async () => new WebSocket(t.ws('kept')))(),
    (async () => fetch(t.http('kept'), { mode: 'no-cors' }))(),
  ])
}
