// Connections that a document asks for, and that the browser gets to more than a
// minute after the document has gone, because lookups of an allowed domain stand before
// them. Chromium forgets a document's Connection-Allowlist 60 s after its end, looks up
// three names at a time, and takes the newest hint first.
// @apart: no other row's hint is followed meanwhile
export default async (t) => {
  const preconnect = (to, host) => {
    const link = to.createElement('link')
    link.rel = 'preconnect'
    link.href = `http://${host}:${t.port}`
    to.head.append(link)
  }
  const frame = await t.frame((f) => { f.src = t.file('outlives.page.html') })
  for (let i = 0; i < 6; i++) preconnect(document, t.slow())
  for (let i = 0; i < 20; i++) preconnect(frame.contentDocument, `outlives-${i}.${t.host}`)
  // Hints of one frame are not known to arrive before those of another.
  await fetch('/kit.js', { cache: 'no-store' })
  for (let i = 0; i < 330; i++) preconnect(document, t.slow())
  frame.remove()
}
