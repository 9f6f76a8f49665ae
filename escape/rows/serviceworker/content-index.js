// The Content Index, whose icons the browser fetches.
// @control: none, only Android has it
export default async (t) => {
  const registration = await navigator.serviceWorker.ready
  await registration.index.add({ id: t.name, title: 'x', url: '/', icons: [{ src: t.http('icon.png'), sizes: '16x16', type: 'image/png' }] })
}
