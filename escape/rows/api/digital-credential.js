// A request for a digital credential, which goes to a wallet.
// @gesture: click
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await t.gesture()
  const data = { response_type: 'vp_token', response_uri: t.https('response'), nonce: 'secret' }
  await navigator.credentials.get({ digital: { requests: [{ protocol: 'openid4vp-v1-unsigned', data }] }, mediation: 'required' })
}
