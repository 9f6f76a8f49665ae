// A push subscription, for which the browser itself would speak to a push service.
// @control: none, a push service is no canary, and a frame of another origin has no permission
export default async () => {
  const registration = await navigator.serviceWorker.ready
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
  await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await crypto.subtle.exportKey('raw', publicKey) })
}
