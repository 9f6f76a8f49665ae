// The Link header of a script, which asks for a connection and a lookup.
export default async (t) => {
  const query = new URLSearchParams({ type: 'text/javascript', header: `Link: <${t.http()}>; rel=preconnect, <${t.https()}>; rel=dns-prefetch` })
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = t.allowed(`answer?${query}`)
  document.head.append(script)
  await done
}
