// A redirect of an image to a name that has data in its first label, and to another scheme.
export default async (t) => {
  const one = new Image()
  const other = new Image()
  const done = [t.settled(one), t.settled(other)]
  one.src = t.redirect(`http://secret.${t.host}:${t.port}/label#fragment`)
  other.src = t.redirect(t.https('img.png'))
  await Promise.all(done)
}
