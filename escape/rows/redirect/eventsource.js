// An EventSource that is redirected.
export default async (t) => {
  const source = new EventSource(t.redirect(t.http('events')))
  await t.settled(source, 'open')
  source.close()
}
