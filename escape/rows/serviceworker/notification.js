// A notification of the worker's with icon, badge and image of the canary.
// @control: none, a frame of another origin has no permission
export default async (t) => {
  const registration = await navigator.serviceWorker.ready
  await registration.showNotification('x', { icon: t.http('icon.png'), badge: t.http('badge.png'), image: t.http('image.png') })
}
