// A module that is preloaded.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'modulepreload'
  link.href = t.http('module.js')
  document.head.append(link)
  await done
}
