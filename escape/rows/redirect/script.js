// A classic script that is redirected.
export default async (t) => {
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = t.redirect(t.http('script.js'))
  document.head.append(script)
  await done
}
