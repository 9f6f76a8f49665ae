// A thousand lookups and connections at once, so that one may slip through a race.
// @alone: it uses up what other rows need
export default (t) => {
  for (let i = 0; i < 1000; i++) {
    const link = document.createElement('link')
    link.rel = i % 2 ? 'preconnect' : 'dns-prefetch'
    link.href = `http://storm-${i}.${t.host}:${t.port}`
    document.head.append(link)
  }
}
