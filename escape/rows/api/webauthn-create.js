// A new passkey for the canary's name: the browser may ask that site which origins are related.
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await navigator.credentials.create({ publicKey: {
    rp: { id: t.host, name: 'x' },
    user: { id: new Uint8Array(8), name: 'x', displayName: 'x' },
    challenge: new Uint8Array(16),
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  } })
}
