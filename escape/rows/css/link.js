// A style sheet by a link.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'stylesheet'
  link.href = t.http('link.css')
  document.head.append(link)
  await done
}
