// A sign-in by an identity provider at the canary: the browser fetches its configuration.
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await navigator.credentials.get({ identity: { providers: [{ configURL: t.http('fedcm.json'), clientId: 'secret' }] } })
}
