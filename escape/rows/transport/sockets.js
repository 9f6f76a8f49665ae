// Direct Sockets: TCP and UDP.
// @control: none, they are for isolated web apps
export default async (t) => {
  await Promise.allSettled([
    (async () => new TCPSocket(t.host, t.port).opened)(),
    (async () => new UDPSocket({ remoteAddress: t.host, remotePort: t.port }).opened)(),
  ])
}
