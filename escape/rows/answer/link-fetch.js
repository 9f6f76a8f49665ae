// The Link header of an answer that only a fetch gets.
export default async (t) => {
  const links = [`<${t.http('preload.css')}>; rel=preload; as=style`, `<${t.http('dictionary')}>; rel=compression-dictionary`, `<${t.http()}>; rel=preconnect`]
  const query = new URLSearchParams({ type: 'text/plain', header: `Link: ${links.join(', ')}` })
  await fetch(t.allowed(`answer?${query}`))
}
