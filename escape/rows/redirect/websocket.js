// A WebSocket whose handshake is answered by a redirect.
// @control: none, the standard forbids to follow it
export default async (t) => {
  await t.settled(new WebSocket(t.redirect(t.ws('socket')).replace(/^http/, 'ws')), 'open')
}
