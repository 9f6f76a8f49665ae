// The worker as a payment handler whose icon and methods are the canary's.
// @control: none, instruments are gone from the engines
export default async (t) => {
  const registration = await navigator.serviceWorker.ready
  await registration.paymentManager.instruments.set('x', { name: 'x', method: t.https('pay'), icons: [{ src: t.https('icon.png'), sizes: '16x16', type: 'image/png' }] })
}
