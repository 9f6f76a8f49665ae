// The predecessors of WebTransport: QuicTransport and RTCQuicTransport.
// @control: none, they are gone
export default (t) => {
  new QuicTransport(`quic-transport://${t.host}:${t.port}/x`)
}
