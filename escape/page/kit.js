// The kit that every row gets: the addresses of its own canary, and ways to wait.
export function kit(row, { port, allowed, slow, signal }) {
  const at = (scheme, path = 'x') => `${scheme}://${row.host}:${port}/${path}`
  return {
    name: row.name,
    host: row.host, // of the canary; every name below it is the canary too
    address: row.address,
    port,
    http: (path) => at('http', path),
    https: (path) => at('https', path),
    ws: (path) => at('ws', path),
    wss: (path) => at('wss', path),
    stun: `stun:${row.host}:${port}`,
    turn: (transport = 'udp') => ({ urls: `turn:${row.host}:${port}?transport=${transport}`, username: 'u', credential: 'c' }),
    turns: { urls: `turns:${row.host}:${port}?transport=tcp`, username: 'u', credential: 'c' },

    // allowed is an address that a rule of the sandbox allows. redirect is one that is
    // allowed and redirects to the given address with 302.
    allowed: (path = 'x') => `${allowed}/${path}`,
    redirect: (to) => `${allowed}/redirect?to=${encodeURIComponent(to)}`,
    // slow is a new name of an allowed domain whose lookups are slow.
    slow: () => `${crypto.randomUUID()}.${slow}`,
    // readable is an address that a rule allows, with GET only.
    readable: (path = 'x') => `http://get.${row.host}:${port}/${path}`,
    // file is the address of a file beside the row's own.
    file: (name) => new URL(name, new URL(row.module, location.origin)).href,

    settled: (element, ...more) => settled(row.host, allowed, element, ...more),
    frame: (make) => frame(row.host, allowed, make),
    message,
    everything: (tell) => everything(row.host, port, tell),
    module: (source) => URL.createObjectURL(new Blob([source], { type: 'text/javascript' })),
    // gesture reports that the page is ready for the row's gesture. It resolves when
    // the page has received the gesture, and tells the driver so.
    gesture: (type = 'pointerup') => {
      const felt = new Promise((resolve) => addEventListener(type, () => setTimeout(resolve), { once: true, capture: true }))
      felt.then(() => fetch(`${signal}/felt`, { keepalive: true }))
      return fetch(`${signal}/ready`).then(() => felt)
    },
  }
}

// settled resolves when an element has loaded, failed, or been refused by the browser's
// policy, whichever the page learns first.
function settled(host, allowed, element, ...more) {
  return new Promise((resolve) => {
    for (const type of ['load', 'error', ...more]) element.addEventListener(type, resolve, { once: true })
    addEventListener('securitypolicyviolation', ({ blockedURI }) => {
      // Other rows of the page have theirs.
      if (blockedURI.includes(host) || blockedURI.startsWith(allowed) || !blockedURI.includes(':')) resolve()
    })
  })
}

// frame appends an iframe that make has set up, and returns it once it has loaded or
// been refused.
async function frame(host, allowed, make = () => {}) {
  const element = document.createElement('iframe')
  const done = settled(host, allowed, element)
  make(element)
  document.body.append(element)
  await done
  return element
}

// message resolves when a message with this data arrives at the page, or at a given
// worker or port.
export function message(data = 'tried', from = globalThis) {
  return new Promise((resolve) => {
    const hear = (event) => {
      if (event.data !== data) return
      from.removeEventListener('message', hear)
      resolve()
    }
    from.addEventListener('message', hear)
    from.start?.()
  })
}

// everything is the source of a script that tries fetch, WebSocket, and then WebRTC
// from whatever realm it runs in, and then runs "tell". WebRTC comes last, because
// Chromium ends the renderer when a blank frame under Connection-Allowlist tries it.
// The source uses nothing of the page's, and contains no HTML quotation mark, no "</",
// and no "#".
function everything(host, port, tell = 'parent.postMessage(`tried`, `*`)') {
  return `(async () => {
    await Promise.allSettled([fetch(\`http://${host}:${port}/fetch\`, { mode: \`no-cors\` }), new Promise((resolve) => {
      const socket = new WebSocket(\`ws://${host}:${port}/socket\`)
      socket.onopen = socket.onerror = socket.onclose = resolve
    })])
    if (globalThis.RTCPeerConnection) await (async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: \`stun:${host}:${port}\` }] })
      peer.createDataChannel(\`x\`)
      await peer.setLocalDescription(await peer.createOffer())
      await new Promise((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === \`complete\` && resolve()
        if (peer.iceGatheringState === \`complete\`) resolve()
      })
    })().catch(() => {})
    ${tell}
  })()`
}
