// A request for cookies of the site, after a click, and for those of the canary.
// @gesture: click
// @control: none, it asks the user and not the network
export default async (t) => {
  await t.gesture()
  await Promise.any([document.requestStorageAccess({ all: true }), document.requestStorageAccessFor?.(t.https())])
}
