// The Link header of a style sheet, which asks for a preload and a prefetch.
// @control: none in chromium firefox, on such an answer the header makes connections at most
export default async (t) => {
  const headers = [`<${t.http('preload.js')}>; rel=preload; as=script`, `<${t.http('module.js')}>; rel=modulepreload`, `<${t.http('prefetch.html')}>; rel=prefetch`]
  const query = new URLSearchParams([['type', 'text/css'], ...headers.map((value) => ['header', `Link: ${value}`])])
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'stylesheet'
  link.href = t.allowed(`answer?${query}`)
  document.head.append(link)
  await done
}
