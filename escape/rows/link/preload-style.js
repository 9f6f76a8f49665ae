// A style sheet that is preloaded and never used.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'style'
  link.href = t.http('preload.css')
  document.head.append(link)
  await done
}
