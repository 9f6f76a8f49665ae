// An alternate style sheet, which is fetched although it is not applied.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'alternate stylesheet'
  link.title = t.name
  link.href = t.http('alternate.css')
  document.head.append(link)
  await done
}
