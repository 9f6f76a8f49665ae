// A style sheet that is redirected.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'stylesheet'
  link.href = t.redirect(t.http('style.css'))
  document.head.append(link)
  await done
}
