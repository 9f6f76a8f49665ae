// A keepalive request of a frame that is removed at once.
export default (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  frame.contentWindow.fetch(t.http('keepalive'), { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }).catch(() => {})
  frame.remove()
}
