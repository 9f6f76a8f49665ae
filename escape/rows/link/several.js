// A link that is several things at once.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preconnect dns-prefetch icon prefetch next stylesheet'
  link.type = 'text/css'
  link.href = t.http('several.css')
  document.head.append(link)
  await done
}
