// The fetch function of a removed frame.
// @control: none, a window without a document does not fetch
export default async (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const { fetch } = frame.contentWindow
  frame.remove()
  await fetch(t.http('detached'), { mode: 'no-cors' })
}
