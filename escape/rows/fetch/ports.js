// Ports on which nothing listens, and ports that browsers refuse: the connection
// would be the message.
export default async (t) => {
  const ports = [1, 25, 80, 443, 8081, 6667, 65535]
  await Promise.allSettled(ports.map((port) => fetch(`http://${t.host}:${port}/`, { mode: 'no-cors' })))
}
