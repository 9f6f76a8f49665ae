// WebRTC in a worker.
// @control: none, no engine has RTCPeerConnection in workers
export default async (t) => {
  const worker = new Worker(t.module(`new RTCPeerConnection({ iceServers: [{ urls: '${t.stun}' }], iceCandidatePoolSize: 4 }); postMessage('tried')`))
  const failed = new Promise((resolve) => { worker.onerror = resolve })
  await Promise.race([t.message('tried', worker), failed])
}
