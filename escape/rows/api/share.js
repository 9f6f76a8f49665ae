// A share of an address after a click; the system may fetch a preview.
// @gesture: click
// @control: none, a frame of another site needs the embedder's permission
export default async (t) => {
  await t.gesture()
  await navigator.share({ title: 'secret', url: t.http('share') })
}
