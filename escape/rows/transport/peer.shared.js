// Peers under way are kept here, or they might be collected.
const kept = []

// offer makes an offer, which begins the gathering of candidates. Where a server does not answer, that takes half a minute.
export async function offer(config, Peer = RTCPeerConnection) {
  const peer = new Peer(config)
  kept.push(peer)
  peer.createDataChannel('x')
  const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate || resolve() })
  await peer.setLocalDescription(await peer.createOffer())
  return { peer, gathered }
}

export const gather = async (config, Peer) => (await offer(config, Peer)).gathered

// pair connects two peers of the page with each other, after change has had its way with the answer, and adds candidates.
export async function pair(change, candidates = [], Peer = RTCPeerConnection) {
  const { peer: caller } = await offer(undefined, Peer)
  const callee = new Peer()
  kept.push(callee)
  await callee.setRemoteDescription(caller.localDescription)
  await callee.setLocalDescription(await callee.createAnswer())
  await caller.setRemoteDescription({ type: 'answer', sdp: change(callee.localDescription.sdp) })
  await Promise.allSettled(candidates.map((candidate) => caller.addIceCandidate({ candidate, sdpMLineIndex: 0 })))
}

export const candidate = (address, port, protocol = 'udp', more = '') => `candidate:1 1 ${protocol} 2122260223 ${address} ${port} typ host${more}`

// opened waits until a WebSocket is open or refused.
export const opened = (socket) => new Promise((resolve) => { socket.onopen = socket.onerror = resolve })
