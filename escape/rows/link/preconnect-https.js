// A connection with TLS ahead of requests, whose first message names the host.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = t.https()
  document.head.append(link)
}
