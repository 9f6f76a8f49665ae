// A connection ahead of requests without credentials, which has a pool of its own.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.crossOrigin = 'anonymous'
  link.href = t.http()
  document.head.append(link)
}
