// A passkey of the canary's name, and an app ID of U2F that is an address.
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  const challenge = new Uint8Array(16)
  await Promise.any([
    navigator.credentials.get({ publicKey: { challenge, rpId: t.host } }),
    navigator.credentials.get({ publicKey: { challenge, extensions: { appid: t.https('app-id.json') } } }),
  ])
}
