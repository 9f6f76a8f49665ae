// A script, an image and a fetch with headers that mean something for documents or workers.
// @control: none, on such answers they mean nothing
export default async (t) => {
  const headers = [`Refresh: 0;url=${t.http('refresh')}`, `Location: ${t.http('location')}`, `Content-Location: ${t.http('content')}`, 'Critical-CH: Sec-CH-UA-Model', 'Accept-CH: Sec-CH-UA-Model',
    'Clear-Site-Data: "*"', 'Set-Cookie: secret=1; Domain=localhost', 'Service-Worker-Allowed: /', `Content-Security-Policy: default-src 'none'; report-uri ${t.http('report')}`,
    'Activate-Storage-Access: retry', 'Use-As-Dictionary: match="/*"', 'X-DNS-Prefetch-Control: on', `Connection-Allowlist: ("*://*:*")`]
  const resource = (type) => t.allowed(`answer?${new URLSearchParams([['type', type], ...headers.map((header) => ['header', header])])}`)
  const img = new Image()
  const script = document.createElement('script')
  const done = [t.settled(img), t.settled(script)]
  img.src = resource('image/svg+xml')
  script.src = resource('text/javascript')
  document.head.append(script)
  await Promise.all([...done, fetch(resource('text/plain'))])
}
