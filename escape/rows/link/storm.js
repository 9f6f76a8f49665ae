// A hundred lookups and connections at once, so that one may slip through a race.
// More would keep the hints of other pages waiting until those have gone, and then
// those would get out, as link/outlives does.
// @alone: it uses up what other rows need
export default (t) => {
  for (let i = 0; i < 100; i++) {
    const link = document.createElement('link')
    link.rel = i % 2 ? 'preconnect' : 'dns-prefetch'
    link.href = `http://storm-${i}.${t.host}:${t.port}`
    document.head.append(link)
  }
}
