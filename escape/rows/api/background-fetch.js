// A fetch that the browser makes in the background, with an icon to show for it.
// @control: none, only Chromium has it, which takes the order and fetches nothing while the page is there
export default async (t) => {
  const [registration] = await navigator.serviceWorker.getRegistrations()
  if (!registration) throw new Error('no service worker')
  await registration.backgroundFetch.fetch(t.name, [t.http('one'), t.https('two')], { title: 'secret', icons: [{ src: t.http('icon.png'), sizes: '96x96', type: 'image/png' }] })
}
