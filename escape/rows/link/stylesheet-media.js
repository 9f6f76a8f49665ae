// A style sheet for a medium that is not this one, which is fetched nevertheless.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'stylesheet'
  link.media = 'print'
  link.href = t.http('print.css')
  document.head.append(link)
  await done
}
