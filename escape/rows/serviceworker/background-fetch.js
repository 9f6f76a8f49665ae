// Background Fetch, which the browser makes itself.
// @control: none, from a frame it begins paused, until the user goes on with it
export default async (t) => {
  const registration = await navigator.serviceWorker.ready
  await registration.backgroundFetch.fetch(t.name, [t.http('background'), t.https('background')])
}
