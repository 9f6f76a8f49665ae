// A script and a style sheet with headers that name a source map.
// @control: none, only open developer tools would ask for it
export default async (t) => {
  const headers = [`SourceMap: ${t.http('source.map')}`, `X-SourceMap: ${t.http('x-source.map')}`]
  const query = (type) => new URLSearchParams([['type', type], ...headers.map((header) => ['header', header])])
  const script = document.createElement('script')
  const done = t.settled(script)
  script.src = t.allowed(`answer?${query('text/javascript')}`)
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: t.allowed(`answer?${query('text/css')}`) })
  document.head.append(script, link)
  await done
}
