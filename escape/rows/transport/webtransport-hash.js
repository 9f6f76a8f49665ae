// WebTransport with the hash of a certificate, which needs no authority's name on it.
// @control: none in webkit, it has no WebTransport
export default (t) => new WebTransport(t.https('transport'), {
  serverCertificateHashes: [{ algorithm: 'sha-256', value: crypto.getRandomValues(new Uint8Array(32)) }],
}).ready
