// A fetch over TLS, whose handshake names the host.
export default async (t) => {
  await fetch(t.https('fetch'), { mode: 'no-cors' })
}
