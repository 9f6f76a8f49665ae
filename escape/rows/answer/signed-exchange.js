// A signed exchange that cannot be read: its beginning names where the browser goes instead.
// @control: none in firefox webkit, they have no signed exchanges
export default async (t) => {
  const url = t.https('fallback')
  const body = `sxg1-b3\0\0${String.fromCharCode(url.length)}${url}\0\0\x08\0\0\x08${'x'.repeat(16)}` // lengths: 2, 3 and 3 bytes
  const query = new URLSearchParams({ type: 'application/signed-exchange;v=b3', body, header: 'X-Content-Type-Options: nosniff' })
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = t.allowed(`answer?${query}`)
  document.head.append(link)
  await t.frame((frame) => { frame.src = link.href })
}
