// The pictures of a notification.
// @control: none, a frame of another site may not notify
export default async (t) => {
  await Notification.requestPermission()
  const pictures = { icon: t.http('icon.png'), image: t.http('image.png'), badge: t.http('badge.png') }
  const notification = new Notification('secret', { ...pictures, actions: [] })
  await t.settled(notification, 'show')
}
