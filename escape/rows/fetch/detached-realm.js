// The functions of a frame that was removed, called afterwards.
// @control: none, a document that is gone fetches nothing
export default async (t) => {
  const frame = await t.frame()
  const { fetch: stale, XMLHttpRequest: Stale, navigator: old } = frame.contentWindow
  frame.remove()
  stale(t.http('fetch')).catch(() => {}) // it may stay pending for ever
  old.sendBeacon?.(t.http('beacon'))
  const request = new Stale()
  request.open('GET', t.http('xhr'))
  request.send()
}
