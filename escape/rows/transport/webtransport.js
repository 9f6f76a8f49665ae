// WebTransport, over QUIC.
// @control: none in webkit, it has no WebTransport
export default (t) => new WebTransport(t.https('transport')).ready
