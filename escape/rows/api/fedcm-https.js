// A sign-in by an identity provider over TLS, after a click, and the end of it.
// @gesture: click
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await t.gesture()
  const provider = { configURL: t.https('fedcm.json'), clientId: 'secret' }
  await Promise.any([
    navigator.credentials.get({ identity: { mode: 'active', context: 'signin', providers: [{ ...provider, nonce: 'secret', params: { secret: 1 } }] } }),
    IdentityCredential.disconnect({ ...provider, accountHint: 'secret' }),
  ])
}
