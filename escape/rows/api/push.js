// A push subscription, for which the browser connects to its maker's service.
// @control: none, a frame of another site may not ask
export default async (t) => {
  const [registration] = await navigator.serviceWorker.getRegistrations()
  if (!registration) throw new Error('no service worker')
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
  const applicationServerKey = await crypto.subtle.exportKey('raw', publicKey)
  await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
