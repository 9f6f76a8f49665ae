// Sockets without a protocol above them.
// @control: none, only isolated applications of Chromium have them
export default async (t) => {
  const socket = new TCPSocket(t.host, t.port)
  const datagrams = new UDPSocket({ remoteAddress: t.host, remotePort: t.port })
  await Promise.any([socket.opened, datagrams.opened])
}
