// Outer-frame tampering: messages of every shape to the pages above, that set rules, run code or load the canary; then a request.
// @alone: the outer frame may end the view
export default async (t) => {
  const url = t.http('told')
  const rules = { allow: ['*', t.host], files: { '/index.html': `<img src=${url}>` } }
  const kinds = ['EXECUTE', 'SET_NETWORK_RULES', 'UPDATE_RULES', 'RESET', 'LOG', 'READY', 'state', 'event', 'reload', 'connect', 'config', 'navigate', 'open', 'fetch', 'console', 'violation', 'reports']
  for (const kind of kinds) {
    const message = { type: kind, kind, protocol: 1, rules, url, src: url, code: `fetch('${url}')`, html: `<img src=${url}>`, target: url, directive: 'frame-src', text: url }
    for (const above of [parent, top]) {
      above.postMessage(message, '*', [new MessageChannel().port1])
      above.postMessage(JSON.stringify(message), '*')
      above.postMessage({ jsonrpc: '2.0', id: 1, method: `ui/${kind}`, params: message }, '*')
      above.postMessage(kind, '*')
    }
  }
  await fetch(url, { mode: 'no-cors' })
}
