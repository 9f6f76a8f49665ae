// An EventSource.
export default async (t) => {
  const source = new EventSource(t.http('events'), { withCredentials: true })
  await t.settled(source, 'open')
  source.close()
}
