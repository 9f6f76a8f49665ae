// The Link header of a document in a frame, which in Firefox may name style sheets too.
export default async (t) => {
  const links = [`<${t.http('preload.js')}>; rel=preload; as=script`, `<${t.http('link.css')}>; rel=stylesheet`, `<${t.http()}>; rel=preconnect`]
  const query = new URLSearchParams({ type: 'text/html', body: '<p>text', header: `Link: ${links.join(', ')}` })
  await t.frame((frame) => { frame.src = t.allowed(`answer?${query}`) })
}
