// Links in a blank frame, whose document has no server.
export default async (t) => {
  const frame = await t.frame()
  for (const rel of ['preconnect', 'dns-prefetch', 'prefetch']) {
    const link = frame.contentDocument.createElement('link')
    link.rel = rel
    link.href = t.http(rel)
    frame.contentDocument.head.append(link)
  }
}
