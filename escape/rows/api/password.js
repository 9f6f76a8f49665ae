// A password of another origin with an icon, which is given to the browser to keep.
// @control: none, the icon must be shown before it is fetched
export default async (t) => {
  await navigator.credentials.store(new FederatedCredential({ id: 'secret', provider: t.https(), name: 'x', iconURL: t.https('icon.png') }))
}
